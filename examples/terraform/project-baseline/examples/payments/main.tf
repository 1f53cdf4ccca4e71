terraform {
  required_version = ">= 1.11"
  required_providers {
    deploymgmt = {
      source = "deploymgmt/deploymgmt"
    }
  }
}

provider "deploymgmt" {
  org_id = "5980cfdf0b6d97029d82f86e"
}

module "payments" {
  source = "../.."

  project_id                = "5c8100bcf2a30b12ff88258f"
  delete_other_integrations = true
  patch_nights              = ["2035-02-04", "2035-02-11"]
  readers = {
    "5d2e1f0a9b8c7d6e5f4a3b2c" = {
      roles = [{ role_name = "ORG_OWNER", org_id = "5980cfdf0b6d97029d82f86e" }]
    }
  }
}

output "payments" {
  value = module.payments
}
