data "deploymgmt_project_event" "one" {
  project_id = "5c8100bcf2a30b12ff88258f"
  event_id   = "5dc9f1a2b3c4d5e6f7081921"
}

output "project_event_type" {
  value = data.deploymgmt_project_event.one.event_type_name
}
