resource "deploymgmt_alert_configuration" "on" {
  for_each = var.alerts

  project_id = var.project_id
  select     = { event_type_name = each.value }
  enabled    = true
}

resource "deploymgmt_integration" "needed" {
  for_each = var.integrations

  project_id = var.project_id
  type       = each.value
}

resource "deploymgmt_integration" "only" {
  count = var.delete_other_integrations ? 1 : 0

  project_id = var.project_id
  only       = setunion(var.integrations, var.may_also_have)
  allow      = ["delete"]

  # Deletes only after all required integrations were found.
  depends_on = [deploymgmt_integration.needed]
}

resource "deploymgmt_maintenance_window" "patching" {
  for_each = var.patch_nights

  project_id       = var.project_id
  alert_type_names = var.patch_hours.alert_types
  start_date       = "${each.value}T${var.patch_hours.start}:00Z"
  end_date         = timeadd("${each.value}T${var.patch_hours.start}:00Z", var.patch_hours.duration)
  description      = "Patching"
}

resource "deploymgmt_user" "reader" {
  for_each = var.readers

  user_id        = each.key
  roles_complete = true
  roles = setunion(
    [{ role_name = "GROUP_READ_ONLY", org_id = null, project_id = var.project_id }],
    each.value.roles,
  )
}
