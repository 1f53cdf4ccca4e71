terraform {
  required_version = ">= 1.11"
  required_providers {
    deploymgmt = {
      source = "deploymgmt/deploymgmt"
    }
  }
}

# Settings that are omitted come from the environment: DEPLOYMGMT_BASE_URL, DEPLOYMGMT_PUBLIC_KEY,
# DEPLOYMGMT_PRIVATE_KEY (or DEPLOYMGMT_PRIVATE_KEY_FILE) and DEPLOYMGMT_CA_FILE.
provider "deploymgmt" {
  org_id      = "5980cfdf0b6d97029d82f86e" # the organization whose events show who changed what
  concurrency = 10

  # Names of projects in plans, warnings and errors.
  projects = { payments = "5c8100bcf2a30b12ff88258f" }
}
