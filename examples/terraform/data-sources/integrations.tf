data "deploymgmt_integrations" "payments" {
  project_id = "5c8100bcf2a30b12ff88258f"
}

output "integration_types" {
  value = data.deploymgmt_integrations.payments.results[*].type
}
