# Only the user’s own API key can read this.
data "deploymgmt_user_access_list_entry" "own" {
  user_id           = "5d2e1f0a9b8c7d6e5f4a3b2c"
  access_list_entry = "203.0.113.5"
}

output "own_address_is_listed" {
  value = length(data.deploymgmt_user_access_list_entry.own.results) > 0
}
