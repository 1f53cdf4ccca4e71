data "deploymgmt_alerts" "open" {
  project_id = var.project_id
  status     = "OPEN"
  limit      = 100
}

output "open_alerts" {
  description = "Number of open alerts."
  value       = data.deploymgmt_alerts.open.total_count
}

output "alert_configurations" {
  description = "Alert configurations by event type and id, with whether each is enabled."
  value       = { for name, on in deploymgmt_alert_configuration.on : name => on.configurations }
}

output "window_ids" {
  description = "Id of the maintenance window of each patch night; no endpoint returns it later."
  value       = { for night, window in deploymgmt_maintenance_window.patching : night => window.id }
}

output "not_verifiable" {
  description = "Evidence for windows and users, which no endpoint shows."
  value = merge(
    { for name, window in deploymgmt_maintenance_window.patching : "window ${name}" => window.evidence },
    { for name, user in deploymgmt_user.reader : "user ${name}" => user.evidence },
  )
}
