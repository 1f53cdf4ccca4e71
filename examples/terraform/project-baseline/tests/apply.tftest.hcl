# What is there afterwards. Terraform destroys what this file has made when it ends.
provider "deploymgmt" {
  org_id = "5980cfdf0b6d97029d82f86e"
}

variables {
  project_id = "5c8100bcf2a30b12ff88258f"
  readers = {
    "5d2e1f0a9b8c7d6e5f4a3b2c" = {
      roles = [{ role_name = "ORG_OWNER", org_id = "5980cfdf0b6d97029d82f86e" }]
    }
  }
}

run "makes_the_baseline" {
  variables {
    patch_nights              = ["2035-02-04", "2035-02-11"]
    delete_other_integrations = true
  }

  assert {
    condition     = output.alert_configurations["HOST_DOWN"] == tomap({ "5d1113b25a115342acc2d0f3" = true })
    error_message = "What was off is on."
  }

  assert {
    condition = output.not_verifiable == {
      "window 2035-02-04"             = "recorded"
      "window 2035-02-11"             = "recorded"
      "user 5d2e1f0a9b8c7d6e5f4a3b2c" = "recorded"
    }
    error_message = "What no endpoint shows is known by the answers to its writes."
  }

  assert {
    condition     = length(deploymgmt_integration.only[0].forbidden) == 0
    error_message = "Nothing is left to be deleted."
  }
}

run "keeps_the_windows_of_nights_that_stay" {
  variables {
    patch_nights              = ["2035-02-11"]
    delete_other_integrations = true
  }

  assert {
    condition     = output.window_ids == { "2035-02-11" = run.makes_the_baseline.window_ids["2035-02-11"] }
    error_message = "A window stays the same as long as its night is named."
  }
}

run "reads_what_the_service_has" {
  module {
    source = "./tests/reading"
  }

  assert {
    condition     = output.integration_types == toset(["PAGING"])
    error_message = "What the baseline does not name is deleted from the project."
  }

  assert {
    condition     = output.disabled == toset([])
    error_message = "All alert configurations of the project are on."
  }
}
