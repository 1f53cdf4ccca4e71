# The same as plan.jq, for a plan of Terraform. It counts removals, too, since the provider cannot:
#
#   terraform plan -out=saved.plan
#   terraform show -json saved.plan > plan.json
#   jq --argjson removed 3 --argjson off 3 --from-file terraform.jq plan.json
#   terraform apply saved.plan

def planned: .change.actions | any(. != "no-op" and . != "read");

def deletes:
  .type == "deploymgmt_integration" and planned
  and (.change.after | .ensure == "absent" or (.allow // [] | index("delete")));

def removed: .change.actions | index("delete");

# How many are turned off: all that a selector covers. Which ones a new resource finds is known after the apply: it
# counts as one.
def turned_off:
  .change as {$before, $after}
  | if .type != "deploymgmt_alert_configuration" or $after.enabled != false or (planned | not) then 0
    elif $before.configurations then
      [$before.configurations | to_entries[] | select(.value and $after.configurations[.key] != true)] | length
    elif $before.enabled == false then 0
    else 1
    end;

[.resource_changes[]? | select(.mode == "managed" and (.type | startswith("deploymgmt_")))] as $all
| [
  ($all[] | select(deletes) | "\(.address) would delete an integration"),
  ([$all[] | select(removed).address]
    | select(length > $removed)
    | "\(length) resources would be removed, and \($removed) may be: \(join(", "))"),
  ([$all[] | turned_off] | add // 0
    | select(. > $off)
    | "\(.) alert configurations would be turned off, and \($off) may be")
]
| if length == 0 then empty else (join("\n") + "\n" | halt_error(1)) end
