# What would be done, and what is refused before anything is asked of the service.
provider "deploymgmt" {
  org_id = "5980cfdf0b6d97029d82f86e"
}

variables {
  project_id = "5c8100bcf2a30b12ff88258f"
}

run "has_alerts_on_and_deletes_nothing_by_default" {
  command = plan

  assert {
    condition     = toset(keys(deploymgmt_alert_configuration.on)) == toset(["HOST_DOWN", "REPLICA_SET"])
    error_message = "Alerts of hosts that are down, and of replica sets, are on by default."
  }

  assert {
    condition     = length(deploymgmt_integration.only) == 0
    error_message = "Nothing is deleted that nobody has asked to be deleted."
  }

  assert {
    condition     = length(deploymgmt_maintenance_window.patching) + length(deploymgmt_user.reader) == 0
    error_message = "There are no windows and no people without their variables."
  }

  assert {
    condition     = output.open_alerts == 1
    error_message = "A plan reads how many alerts are open."
  }
}

run "has_a_window_for_each_night" {
  command = plan

  variables {
    patch_nights = ["2035-02-04", "2035-02-11"]
    patch_hours  = { start = "22:30", duration = "90m" }
  }

  assert {
    condition     = deploymgmt_maintenance_window.patching["2035-02-04"].start_date == "2035-02-04T22:30:00Z"
    error_message = "A window starts on its night."
  }

  assert {
    condition     = deploymgmt_maintenance_window.patching["2035-02-11"].end_date == "2035-02-12T00:00:00Z"
    error_message = "A window can end on the next day."
  }
}

run "gives_readers_the_role_beside_their_others" {
  command = plan

  variables {
    readers = {
      "5d2e1f0a9b8c7d6e5f4a3b2c" = {
        roles = [{ role_name = "ORG_OWNER", org_id = "5980cfdf0b6d97029d82f86e" }]
      }
    }
  }

  assert {
    condition = (
      toset(deploymgmt_user.reader["5d2e1f0a9b8c7d6e5f4a3b2c"].roles[*].role_name)
      == toset(["GROUP_READ_ONLY", "ORG_OWNER"])
    )
    error_message = "The role in the project comes to the others."
  }
}

run "refuses_what_is_no_id" {
  command         = plan
  expect_failures = [var.project_id]

  variables {
    project_id = "payments"
  }
}

run "refuses_what_is_no_event_type" {
  command         = plan
  expect_failures = [var.alerts]

  variables {
    alerts = ["host down"]
  }
}

run "refuses_what_is_no_date" {
  command         = plan
  expect_failures = [var.patch_nights]

  variables {
    patch_nights = ["2035-02-30"]
  }
}

run "refuses_what_is_no_time" {
  command         = plan
  expect_failures = [var.patch_hours]

  variables {
    patch_hours = { start = "25:00" }
  }
}

run "refuses_a_role_of_nothing" {
  command         = plan
  expect_failures = [var.readers]

  variables {
    readers = {
      "5d2e1f0a9b8c7d6e5f4a3b2c" = { roles = [{ role_name = "ORG_OWNER" }] }
    }
  }
}
