# Who has which role according to a state, as CSV with a row for each role of each user and each API key:
#
#   deploymgmt state pull --output state.json
#   jq --raw-output --from-file access.jq state.json > access.csv
#
# `shown` says whether the last answer of the service showed the role: that of an invitation is not shown. `written` and
# `by` are the last write to the person or the key, and the key that wrote it.

def role: if type == "string" then { roleName: . } else . end;
# A spreadsheet takes a text that begins with one of these for a formula.
def cell: if type == "string" and test("^[=+@\\t\\r-]") then "'" + . else . end;

.projects as $names
| ["address", "who", "id", "role", "where", "shown", "written", "by"],
  (.resources | to_entries[] | .key as $address | .value
    | select(.kind == "user" or .kind == "api_key") as $record
    | $record.identity.orgId as $orgId
    | [$record.answer.roles[]? | role | [.roleName, .projectId // .orgId // $orgId]] as $shown
    | $record.applied.roles[]? | role
    | [.roleName, .projectId // .orgId // $orgId] as [$role, $id]
    | [
        $address,
        $record.applied.username // $record.applied.desc // $record.answer.desc,
        $record.identity.userId // $record.identity.apiKeyId,
        $role,
        $names[$id // ""] // $id,
        ($shown | index([[$role, $id]]) != null),
        $record.lastWrite.to,
        $record.lastWrite.by
      ])
| map(cell) | @csv
