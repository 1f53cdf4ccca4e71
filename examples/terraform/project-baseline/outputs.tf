data "deploymgmt_alerts" "open" {
  project_id = var.project_id
  status     = "OPEN"
  limit      = 100
}

output "open_alerts" {
  description = "How many alerts are open."
  value       = data.deploymgmt_alerts.open.total_count
}

output "alert_configurations" {
  description = "The configurations of each event type by their ids, and whether each is on."
  value       = { for name, on in deploymgmt_alert_configuration.on : name => on.configurations }
}

output "window_ids" {
  description = "The id of each patch night's window; no endpoint shows it again."
  value       = { for night, window in deploymgmt_maintenance_window.patching : night => window.id }
}

output "not_verifiable" {
  description = "What no endpoint shows, with how well it is known."
  value = merge(
    { for name, window in deploymgmt_maintenance_window.patching : "window ${name}" => window.evidence },
    { for name, user in deploymgmt_user.reader : "user ${name}" => user.evidence },
  )
}
