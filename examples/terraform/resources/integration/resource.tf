# It has to be there: the API cannot create one, so that a missing one is an error with the manual step.
resource "deploymgmt_integration" "paging" {
  project_id = "5c8100bcf2a30b12ff88258f"
  type       = "PAGING"
}

# It must not be there, and is deleted.
resource "deploymgmt_integration" "old_chat" {
  project_id = "5c8100bcf2a30b12ff88258f"
  type       = "CHAT_A"
  ensure     = "absent"
}

# Any other type is deleted too, which cannot be undone and has to be allowed.
resource "deploymgmt_integration" "nothing_else" {
  project_id = "5c8100bcf2a30b12ff88258f"
  only       = ["PAGING", "WEBHOOK", "METRICS_SCRAPER"]
  allow      = ["delete"]
}
