data "deploymgmt_organization_event" "one" {
  org_id      = "5980cfdf0b6d97029d82f86e"
  event_id    = "5dc9f1a2b3c4d5e6f7081920"
  include_raw = true
}

output "raw_event" {
  value = jsondecode(data.deploymgmt_organization_event.one.raw)
}
