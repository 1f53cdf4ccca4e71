variable "org_id" {
  description = "Organization of the project."
  type        = string
}

variable "project_id" {
  description = "Project that gets the baseline."
  type        = string
}

variable "alerts" {
  description = "Event types whose alert configurations are all on."
  type        = set(string)
  default     = ["HOST_DOWN", "REPLICA_SET"]
}

variable "integrations" {
  description = "Third-party integrations the project has to have."
  type        = set(string)
  default     = ["PAGING"]
}

variable "may_also_have" {
  description = "Types that are not demanded, and not deleted either."
  type        = set(string)
  default     = ["METRICS_SCRAPER"]
}

variable "patch_nights" {
  description = "Dates on whose nights alerts of hosts are silent."
  type        = set(string)
  default     = []
}

variable "readers" {
  description = "People who may look at the project: ids of users that exist, with all of their roles elsewhere."
  type = map(object({
    roles = optional(set(object({
      role_name  = string
      org_id     = optional(string)
      project_id = optional(string)
    })), [])
  }))
  default = {}
}
