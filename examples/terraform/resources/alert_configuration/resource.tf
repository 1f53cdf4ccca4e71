# Every configuration of the project that matches, including those that are added later.
resource "deploymgmt_alert_configuration" "host_down" {
  project_id = "5c8100bcf2a30b12ff88258f"
  select     = { event_type_name = "HOST_DOWN" }
  enabled    = true
}

# One configuration by its id. A destroy restores the value that it had when it was adopted.
resource "deploymgmt_alert_configuration" "noisy" {
  project_id      = "5c8100bcf2a30b12ff88258f"
  alert_config_id = "5d1113b25a115342acc2d1aa"
  enabled         = false
  on_remove       = "restore"
}

# The configurations that the selector matches: a map from id to enabled.
output "host_down" {
  value = deploymgmt_alert_configuration.host_down.configurations
}
