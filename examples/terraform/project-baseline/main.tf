# What every project gets: its alerts on, its pager there and no other integration, quiet patch nights, and
# people who may look at it.
provider "deploymgmt" {
  org_id = var.org_id
}

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
  project_id = var.project_id
  only       = setunion(var.integrations, var.may_also_have)
  allow      = ["delete"]

  # Nothing is deleted before what has to be there was found.
  depends_on = [deploymgmt_integration.needed]
}

resource "deploymgmt_maintenance_window" "patching" {
  for_each = var.patch_nights

  project_id       = var.project_id
  alert_type_names = ["HOST"]
  start_date       = "${each.value}T01:00:00Z"
  end_date         = timeadd("${each.value}T01:00:00Z", "2h")
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
