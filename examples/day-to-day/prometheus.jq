# A drift report as metrics, for the textfile collector of Prometheus' node exporter:
#
#   deploymgmt drift --format json=drift.json
#   jq --raw-output --from-file prometheus.jq drift.json > deploymgmt.prom.new && mv deploymgmt.prom.new deploymgmt.prom
#
# A drift that failed has no metrics: exit code 1, and the file of the last one stays. Its time then says how old it is.
# `deploymgmt schema drift` says what a report holds.

def text: gsub("\\\\"; "\\\\") | gsub("\""; "\\\"") | gsub("\n"; "\\n");
def gauge($name; $help): "# HELP \($name) \($help)", "# TYPE \($name) gauge";

if .error then "drift failed: \(.error.code) \(.error.message)\n" | halt_error(1) else . end
| "manifest=\"\(.about.manifest | text)\"" as $manifest
| gauge("deploymgmt_drift_things"; "Things by their verdict, as summary counts them."),
  (.summary | to_entries[] | "deploymgmt_drift_things{\($manifest),verdict=\"\(.key)\"} \(.value)"),
  gauge("deploymgmt_drift_late"; "Declared things that an apply should have made by now."),
  "deploymgmt_drift_late{\($manifest)} \([.resources[] | select(.isLate)] | length)",
  gauge("deploymgmt_drift_exit_code"; "2 is drift, 3 an unknown outcome."),
  "deploymgmt_drift_exit_code{\($manifest)} \(.exitCode)",
  gauge("deploymgmt_drift_checked_timestamp_seconds"; "When the service was last compared."),
  "deploymgmt_drift_checked_timestamp_seconds{\($manifest)} \(.checkedAt | sub("\\.\\d+"; "") | fromdate)"
