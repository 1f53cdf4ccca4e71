# Without the default, every plan would need a value, even when nobody is to be created.
variable "initial_password" {
  description = "Sent once, when the user is created. It is not stored in the state or in a plan."
  type        = string
  sensitive   = true
  ephemeral   = true
  default     = null
}

# Created, because it has no user_id.
resource "deploymgmt_user" "dana" {
  username      = "dana@example.com"
  email_address = "dana@example.com"
  first_name    = "Dana"
  last_name     = "Reyes"
  mobile_number = "2125550198"
  password      = var.initial_password

  roles = [
    { role_name = "ORG_MEMBER", org_id = "5980cfdf0b6d97029d82f86e" },
    { role_name = "GROUP_READ_ONLY", project_id = "5c8100bcf2a30b12ff88258f" },
  ]

  # The API cannot delete a user. Apply this before the destroy.
  on_remove = "revoke"
}

# Adopted. A write may replace all roles of a user, so list every role that the user has anywhere.
resource "deploymgmt_user" "sam" {
  user_id        = "5d2e1f0a9b8c7d6e5f4a3b2c"
  roles_complete = true
  roles          = [{ role_name = "ORG_OWNER", org_id = "5980cfdf0b6d97029d82f86e" }]
}
