# The description and the roles of an existing key. The API has no call to create one.
resource "deploymgmt_api_key" "reporting" {
  org_id     = "5980cfdf0b6d97029d82f86e"
  api_key_id = "5c47503320eef5699e1cce8f"

  # The description is sent first, alone. The answer shows whether the roles have to change.
  desc  = "Reporting pipeline"
  roles = ["ORG_MEMBER"]

  # Compared with the service, and never changed. A person has to resolve a difference.
  access_list = ["192.0.2.0/24", "198.51.100.7"]
}

# Removing ORG_OWNER from the last key that was seen to have it must be allowed.
resource "deploymgmt_api_key" "on_call" {
  org_id     = "5980cfdf0b6d97029d82f86e"
  api_key_id = "5c47503320eef5699e1cce8e"
  desc       = "On call"
  roles      = ["ORG_READ_ONLY"]
  allow      = ["owner-removal"]
}
