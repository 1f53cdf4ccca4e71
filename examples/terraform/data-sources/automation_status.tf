data "deploymgmt_automation_status" "payments" {
  project_id = "5c8100bcf2a30b12ff88258f"
}

output "processes_behind" {
  value = [
    for process in data.deploymgmt_automation_status.payments.processes : process.name
    if process.last_goal_version_achieved < data.deploymgmt_automation_status.payments.goal_version
  ]
}
