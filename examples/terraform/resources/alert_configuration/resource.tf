# Every configuration of the project that matches, also one that is added later.
resource "deploymgmt_alert_configuration" "host_down" {
  project_id = "5c8100bcf2a30b12ff88258f"
  select     = { event_type_name = "HOST_DOWN" }
  enabled    = true
}

# One configuration by its id. Destroyed, it gets back what adopting it saw.
resource "deploymgmt_alert_configuration" "noisy" {
  project_id      = "5c8100bcf2a30b12ff88258f"
  alert_config_id = "5d1113b25a115342acc2d1aa"
  enabled         = false
  on_remove       = "restore"
}

# What the selector stands for is known when it is planned: a map from id to enabled.
output "host_down" {
  value = deploymgmt_alert_configuration.host_down.configurations
}
