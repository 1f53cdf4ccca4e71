variable "project_id" {
  description = "Id of the project to which the baseline applies."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9a-f]{24}$", var.project_id))
    error_message = "An id of a project has 24 characters out of 0-9 and a-f."
  }
}

variable "alerts" {
  description = "Event types whose alert configurations are all enabled."
  type        = set(string)
  default     = ["HOST_DOWN", "REPLICA_SET"]
  nullable    = false

  validation {
    condition     = alltrue([for type in var.alerts : can(regex("^[A-Z][A-Z0-9_]*$", type))])
    error_message = "Event types are written as HOST_DOWN is."
  }
}

variable "integrations" {
  description = "Third-party integrations that must exist; the API cannot create one."
  type        = set(string)
  default     = ["PAGING"]
  nullable    = false
}

variable "delete_other_integrations" {
  description = "Whether to delete integrations that are neither in `integrations` nor in `may_also_have`."
  type        = bool
  default     = false
  nullable    = false
}

variable "may_also_have" {
  description = "Types of integrations that are neither required nor deleted."
  type        = set(string)
  default     = ["METRICS_SCRAPER"]
  nullable    = false
}

variable "patch_nights" {
  description = "Dates of the nights on which alerts are silenced, such as `2035-02-04`."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition = alltrue([
      for night in var.patch_nights :
      can(regex("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", night)) && can(timeadd("${night}T00:00:00Z", "0s"))
    ])
    error_message = "A night is a date of the calendar, such as 2035-02-04."
  }
}

variable "patch_hours" {
  description = "Start (UTC) and duration of such a night, and the alert types to silence."
  type = object({
    start       = optional(string, "01:00")
    duration    = optional(string, "2h")
    alert_types = optional(set(string), ["HOST"])
  })
  default  = {}
  nullable = false

  validation {
    condition     = can(regex("^([01][0-9]|2[0-3]):[0-5][0-9]$", var.patch_hours.start))
    error_message = "A night starts at a time such as 01:00."
  }

  validation {
    condition     = can(timeadd("2035-01-01T00:00:00Z", var.patch_hours.duration)) && can(regex("^[1-9]", var.patch_hours.duration))
    error_message = "A duration is written as 2h or 90m."
  }

  validation {
    condition     = length(var.patch_hours.alert_types) > 0
    error_message = "A window without types of alerts silences nothing."
  }
}

variable "readers" {
  description = "People who can read the project: ids of existing users, with all their roles elsewhere."
  type = map(object({
    roles = optional(set(object({
      role_name  = string
      org_id     = optional(string)
      project_id = optional(string)
    })), [])
  }))
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for id in keys(var.readers) : can(regex("^[0-9a-f]{24}$", id))])
    error_message = "A reader is named by an id of 24 characters out of 0-9 and a-f."
  }

  validation {
    condition = alltrue(flatten([
      for reader in values(var.readers) : [
        for role in reader.roles : (role.org_id == null) != (role.project_id == null)
      ]
    ]))
    error_message = "A role is either of an organization or of a project: give one of org_id and project_id."
  }
}
