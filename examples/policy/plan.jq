# Refuses a plan that deletes, or that turns off more alert configurations than allowed:
#
#   deploymgmt plan --out saved.plan --format json=plan.json
#   jq --argjson off 3 --from-file plan.jq plan.json
#   deploymgmt apply saved.plan --auto-approve --expect-sha256 "$(jq --raw-output .saved.sha256 plan.json)"
#
# What is refused is said on stderr, with exit code 1. `deploymgmt schema plan` says what a plan holds.

def deletes: .action == "delete" or any(.requests[]; .method == "DELETE");

def turned_off:
  .kind == "alert_configuration"
  and any(.requests[]; .method != "GET")
  and any(.fields[]; .path == "enabled" and .before != false and .after == false);

[
  (.changes[] | select(deletes) | "\(.address) would be deleted"),
  ([.changes[] | select(turned_off).address]
    | select(length > $off)
    | "\(length) alert configurations would be turned off, and \($off) may be: \(join(", "))")
]
| if length == 0 then empty else (join("\n") + "\n" | halt_error(1)) end
