data "deploymgmt_disks" "db1" {
  project_id = "5c8100bcf2a30b12ff88258f"
  host_id    = "680ab316473d6b28f966364b947134fc"
}

output "partitions" {
  value = data.deploymgmt_disks.db1.results[*].partition_name
}
