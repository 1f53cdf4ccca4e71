data "deploymgmt_api_key_access_list" "reporting" {
  org_id     = "5980cfdf0b6d97029d82f86e"
  api_key_id = "5c47503320eef5699e1cce8f"
}

output "reporting_addresses" {
  value = data.deploymgmt_api_key_access_list.reporting.results[*].cidr_block
}
