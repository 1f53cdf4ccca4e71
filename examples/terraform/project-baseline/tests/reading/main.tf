# What the service itself says of the project, for the tests of the module.
terraform {
  required_version = ">= 1.11"
  required_providers {
    deploymgmt = {
      source = "deploymgmt/deploymgmt"
    }
  }
}

variable "project_id" {
  type = string
}

data "deploymgmt_integrations" "all" {
  project_id = var.project_id
}

data "deploymgmt_alert_configurations" "all" {
  project_id = var.project_id
}

output "integration_types" {
  value = toset(data.deploymgmt_integrations.all.results[*].type)
}

output "disabled" {
  value = toset([for each in data.deploymgmt_alert_configurations.all.results : each.id if !each.enabled])
}
