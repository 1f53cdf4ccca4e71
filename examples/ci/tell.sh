#!/usr/bin/env bash
# Takes a report of deploymgmt to where people look. Needs bash, curl and jq; knows GitHub and GitLab by what their
# runners set. See docs/ci.md.
#
#   tell.sh comment REPORT.md       the comment on this pull request: the one of an earlier run is replaced
#   tell.sh issue REPORT.md CODE    the one issue of drift: CODE 2 opens or updates it, 0 closes it, others leave it
#   tell.sh chat MESSAGE.txt        a message to the hook of a chat, DEPLOYMGMT_CHAT_HOOK; nothing where none is set
#
# A comment or an issue is found by the marker in the report, `<!-- deploymgmt:plan:NAME -->` or
# `<!-- deploymgmt:drift:NAME -->`, so that several manifests can have their own.
set -euo pipefail

fail() {
  echo "tell.sh: $1" >&2
  exit 1
}

# Secrets reach curl through a pipe: arguments are seen by everybody on the machine.
ask() {
  curl --silent --show-error --fail-with-body --max-time 60 --config <(printf '%s\n' "$1") "${@:2}"
}

forge() {
  if [ -n "${GITHUB_ACTIONS:-}" ]; then
    system=github
    root="$GITHUB_API_URL"
    base="$root/repos/$GITHUB_REPOSITORY"
    header="Authorization: Bearer $GITHUB_TOKEN"
    text=body
    number=${GITHUB_REF#refs/pull/}
    comments="issues/${number%%/*}/comments"
    run="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
  elif [ -n "${GITLAB_CI:-}" ]; then
    system=gitlab
    root="$CI_API_V4_URL"
    base="$root/projects/$CI_PROJECT_ID"
    header="PRIVATE-TOKEN: $REPORT_TOKEN"
    text=description
    comments="merge_requests/${CI_MERGE_REQUEST_IID:-}/notes"
    run="$CI_JOB_URL"
  else
    fail 'neither GitHub Actions nor GitLab CI'
  fi
}

# METHOD PATH, with the body on stdin where there is one.
api() {
  ask "header = \"$header\"" --header 'content-type: application/json' --request "$1" "$base/$2" "${@:3}"
}
send() { api "$1" "$2" --data-binary @- >/dev/null; }

# Every page of a list, one thing a line.
list() {
  local page found
  for ((page = 1; page <= 100; page++)); do
    found=$(api GET "$1&per_page=100&page=$page")
    jq --compact-output '.[]' <<<"$found"
    if [ "$(jq length <<<"$found")" -lt 100 ]; then break; fi
  done
}

# The first of the things on stdin that has the marker in a line of its own: whoever quotes it has more in that line.
marked() {
  jq --slurp --compact-output --arg marker "$marker" --arg text "$1" \
    'map(select(.[$text] // "" | split("\n") | any(rtrimstr("\r") == $marker))) | .[0] // empty'
}

# Those of the things on stdin that this token's user wrote: anybody else could change afterwards what theirs say. A
# token that cannot be asked for its user, such as that of a workflow of GitHub, is a bot's.
mine() {
  local me
  me=$(ask "header = \"$header\"" "$root/user" 2>/dev/null | jq --raw-output '.login // .username // empty') || me=''
  jq --compact-output --arg me "$me" 'select((.user // .author // {}) |
    if $me == "" then .type == "Bot" else (.login // .username) == $me end)'
}

of() { jq --raw-output ".$1" <<<"$found"; }

comment() {
  found=$(list "$comments?sort=created" | mine | marked body)
  local body
  body=$(jq --null-input --rawfile body "$report" '{body: $body}')
  if [ -z "$found" ]; then
    send POST "$comments" <<<"$body"
  elif [ "$system" = github ]; then
    send PATCH "issues/comments/$(of id)" <<<"$body"
  else
    send PUT "$comments/$(of id)" <<<"$body"
  fi
}

issue() {
  found=$(list 'issues?state=all&labels=deploymgmt-drift' | marked "$text")
  case $1 in
    2) drifted ;;
    0) if [ -n "$found" ] && [ "$(of state)" != closed ]; then recovered; fi ;;
    *) ;;
  esac
}

drifted() {
  if [ -z "$found" ]; then
    jq --null-input --rawfile report "$report" --arg text "$text" --arg name "$name" \
      '{title: "deploymgmt: drift of \($name)", labels: ["deploymgmt-drift"], ($text): $report}' | send POST issues
    return
  fi
  local state='{}'
  if [ "$(of state)" = closed ]; then
    state='{"state": "open"}'
    if [ "$system" = gitlab ]; then state='{"state_event": "reopen"}'; fi
  fi
  jq --null-input --rawfile report "$report" --arg text "$text" --argjson state "$state" \
    '$state + {($text): $report}' | change
}

recovered() {
  local notes='comments' state='{"state": "closed"}'
  if [ "$system" = gitlab ]; then
    notes='notes'
    state='{"state_event": "close"}'
  fi
  jq --null-input --arg run "$run" '{body: "There is no drift any more: \($run)"}' |
    send POST "issues/$(number)/$notes"
  change <<<"$state"
}

number() { if [ "$system" = github ]; then of number; else of iid; fi; }
change() { if [ "$system" = github ]; then send PATCH "issues/$(number)"; else send PUT "issues/$(number)"; fi; }

chat() {
  if [ -z "${DEPLOYMGMT_CHAT_HOOK:-}" ]; then return; fi
  local message="deploymgmt ended with an error, and its log says which"
  if [ -s "$1" ]; then message=$(<"$1"); fi
  # As chats have it, so that nothing in a report calls everybody.
  jq --null-input --arg text "$message" \
    '{text: ($text | gsub("&"; "&amp;") | gsub("<"; "&lt;") | gsub(">"; "&gt;"))}' |
    ask "url = \"$DEPLOYMGMT_CHAT_HOOK\"" --header 'content-type: application/json' --data-binary @- >/dev/null
}

case ${1:-} in
  comment | issue)
    report=${2:?a report in Markdown}
    # A command that failed has said why there, or could not: what an earlier run has told stays.
    if [ ! -s "$report" ] || [[ $(head -n 1 "$report") == '### Failed: '* ]]; then exit 0; fi
    marker=$(grep --max-count=1 --only-matching '^<!-- deploymgmt:[a-z]*:[^ ]* -->$' "$report") ||
      fail "$report has no marker of deploymgmt"
    name=${marker#<!-- deploymgmt:*:}
    name=${name% -->}
    forge
    "$1" "${3:-}"
    ;;
  chat) chat "${2:?a file with a message}" ;;
  *) fail 'comment REPORT, issue REPORT CODE, or chat MESSAGE' ;;
esac
