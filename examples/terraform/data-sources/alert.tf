data "deploymgmt_alert" "one" {
  project_id = "5c8100bcf2a30b12ff88258f"
  alert_id   = "5d1f2a3b4c5d6e7f8091a2b3"
}

output "alert_status" {
  value = data.deploymgmt_alert.one.status
}
