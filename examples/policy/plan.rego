# The same as plan.jq, for conftest:
#
#   conftest test --policy plan.rego plan.json
package main

import rego.v1

# How many alert configurations a plan may turn off.
off := 3

deny contains message if {
	some change in input.changes
	deletes(change)
	message := sprintf("%s would be deleted", [change.address])
}

deny contains message if {
	addresses := [change.address | some change in input.changes; turned_off(change)]
	count(addresses) > off
	message := sprintf(
		"%d alert configurations would be turned off, and %d may be: %s",
		[count(addresses), off, concat(", ", addresses)],
	)
}

deletes(change) if change.action == "delete"

deletes(change) if {
	some request in change.requests
	request.method == "DELETE"
}

turned_off(change) if {
	change.kind == "alert_configuration"
	some request in change.requests
	request.method != "GET"
	some field in change.fields
	field.path == "enabled"
	field.before != false
	field.after == false
}
