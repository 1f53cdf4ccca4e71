data "deploymgmt_global_alert" "one" {
  alert_id = "5d1f2a3b4c5d6e7f8091a2b4"
}

output "global_alert_status" {
  value = data.deploymgmt_global_alert.one.status
}
