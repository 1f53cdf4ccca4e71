data "deploymgmt_alerts" "open" {
  project_id = "5c8100bcf2a30b12ff88258f"
  status     = "OPEN"
}

output "open_alerts" {
  value = [for alert in data.deploymgmt_alerts.open.results : alert.event_type_name]
}
