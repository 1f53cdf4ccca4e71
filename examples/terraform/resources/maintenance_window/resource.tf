resource "deploymgmt_maintenance_window" "migration" {
  project_id       = "5c8100bcf2a30b12ff88258f"
  alert_type_names = ["HOST", "REPLICA_SET"]
  start_date       = "2035-01-06T02:00:00Z"
  end_date         = "2035-01-06T04:00:00Z"
  description      = "Storage migration"

  # If project_id changes, the new window is created before the old one is ended.
  lifecycle {
    create_before_destroy = true
  }
}

# One window for each night of a list. A window that has ended is left alone.
resource "deploymgmt_maintenance_window" "patching" {
  for_each = toset(["2035-02-04", "2035-02-11"])

  project_id       = "5c8100bcf2a30b12ff88258f"
  alert_type_names = ["HOST"]
  start_date       = "${each.value}T01:00:00Z"
  end_date         = timeadd("${each.value}T01:00:00Z", "2h")
}
