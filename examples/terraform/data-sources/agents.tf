data "deploymgmt_agents" "monitoring" {
  project_id = "5c8100bcf2a30b12ff88258f"
  type       = "MONITORING"
}

output "active_agents" {
  value = [for agent in data.deploymgmt_agents.monitoring.results : agent.hostname if agent.state_name == "ACTIVE"]
}
