terraform {
  required_version = ">= 1.11"
  required_providers {
    deploymgmt = {
      source = "deploymgmt/deploymgmt"
    }
  }
}
