# The list keeps growing, so min_date or limit is required.
data "deploymgmt_organization_events" "disabled" {
  org_id     = "5980cfdf0b6d97029d82f86e"
  event_type = "ALERT_CONFIG_DISABLED_AUDIT"
  min_date   = "2026-11-01T00:00:00Z"
  limit      = 100
}

output "who_disabled_alerts" {
  value = [for event in data.deploymgmt_organization_events.disabled.results : "${event.created} ${coalesce(event.username, event.public_key, "unknown")}"]
}
