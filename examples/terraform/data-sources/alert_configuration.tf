data "deploymgmt_alert_configuration" "noisy" {
  project_id      = "5c8100bcf2a30b12ff88258f"
  alert_config_id = "5d1113b25a115342acc2d1aa"
}

output "noisy_event_type" {
  value = data.deploymgmt_alert_configuration.noisy.event_type_name
}
