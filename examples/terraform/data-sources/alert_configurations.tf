data "deploymgmt_alert_configurations" "all" {
  project_id = "5c8100bcf2a30b12ff88258f"
}

output "disabled_configurations" {
  value = [for each in data.deploymgmt_alert_configurations.all.results : each.id if !each.enabled]
}
