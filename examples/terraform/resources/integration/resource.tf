# It must exist. The API cannot create one, so a missing one is an error that says what to do by hand.
resource "deploymgmt_integration" "paging" {
  project_id = "5c8100bcf2a30b12ff88258f"
  type       = "PAGING"
}

# It must not exist. If it does, it is deleted.
resource "deploymgmt_integration" "old_chat" {
  project_id = "5c8100bcf2a30b12ff88258f"
  type       = "CHAT_A"
  ensure     = "absent"
}

# Every other type is deleted, too. This cannot be undone, and must be allowed.
resource "deploymgmt_integration" "nothing_else" {
  project_id = "5c8100bcf2a30b12ff88258f"
  only       = ["PAGING", "WEBHOOK", "METRICS_SCRAPER"]
  allow      = ["delete"]
}
