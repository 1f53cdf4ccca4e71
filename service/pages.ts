import { controlSections } from './control/page.ts'
import { type Setting } from './settings/setting.ts'
import { settings } from './settings/settings.ts'

const fixtureSection = `## Fixtures

With \`--fixture FILE\`, a service starts with the contents of a YAML or JSON file. With \`--data FILE\`, the fixture is loaded only if the store is empty. Field names are those of the API; an unknown one is an error that names the nearest. So a role in a project has \`groupId\`, and not \`projectId\` as in a manifest. A personal key, in the \`apiKeys\` of a user, has only \`publicKey\` and \`privateKey\`: it does what its user may do. \`GET /_control/dump\` returns a fixture. Without a fixture, there is one organization, one project, and one key (\`public\`, \`private\`) with the role ORG_OWNER.

| Section | Holds | Defaults |
|---|---|---|
| \`settings\` | settings by name | as for [settings](#server-settings) and [open readings](open-readings.md) |
| \`organizations[]\` | \`id\`, \`name\`, \`apiKeys\`, \`events\` | ids are generated; both halves of a key are generated, its \`roles\` are ORG_OWNER, its \`accessList\` is empty |
| \`projects[]\` | \`id\`, \`orgId\`, \`name\`, \`alertConfigs\`, \`alerts\`, \`hosts\`, \`agents\`, \`automationStatus\`, \`integrations\`, \`maintenanceWindows\`, \`events\` | \`orgId\` is the first organization's; configurations are enabled, for HOST_DOWN; alerts are OPEN; agents are ACTIVE (\`typeName\` is needed); processes are at the goal version; windows are of all types, for an hour from now |
| \`users[]\` | the user fields, \`password\`, \`roles\`, \`invitations\`, \`accessList\`, \`apiKeys\` (personal keys) | no roles, no keys |
| \`globalAlerts[]\` | the alert fields | as for alerts |

Alerts keep their status until you set a condition or the clock through the control interface. Omitted timestamps are the time of loading.`

/** docs/service-settings.md: every setting of the embedded service. */
export const settingsPage = (): string => {
  const own = settings.filter(({ name }) => !name.startsWith('open.'))
  return page('service/settings/ and service/control/', 'Settings of the embedded service', [
    'For whoever tests against the embedded service (`deploymgmt serve`), or rehearses with it. This page has its [settings](#server-settings), the [control interface](#control-interface) with its [faults](#faults), and [fixtures](#fixtures).',
    'Give a setting with `deploymgmt serve --set NAME=VALUE`, or under `settings` of a fixture; the command line takes precedence. An unknown name or value is an error that names the nearest one. With `--data`, the settings of the fixture are kept with the data.',
    '## Server settings\n\nSettings that the described service itself has.',
    table(own),
    '## Open readings\n\nWhatever the description of the API leaves open is a setting, too; its name begins with `open.`. [Open readings](open-readings.md) lists them.',
    ...controlSections(),
    fixtureSection,
  ])
}

/** docs/open-readings.md: every point that the API description leaves open, and its possible readings. */
export const openReadingsPage = (): string =>
  page('service/settings/', 'Open readings', [
    'What a client must not assume about the API: its description leaves these points open. The embedded service can behave like every service that the description permits: each point is a [setting](service-settings.md), with the default first. A client has to be right under every value.',
    readings(openSettings()),
    `## Decided without a setting\n\n${decided.map((line) => `- ${line}`).join('\n')}`,
  ])

/** Readings without a setting, because the API description or knowledge of such services decides them. */
const decided = [
  'A list under a parent that does not exist is 404; an empty list is 200. An id that is not 24 hex digits is 404 with INVALID_GROUP_ID or the corresponding code.',
  'Checks run in this order: credentials, query, body, parents, roles, items, the rules of the endpoint. The roles of a caller count as they are once the body has been read.',
  'A body is JSON in UTF-8 with Content-Type application/json or none (otherwise 415), and at most 1 MiB (otherwise 413). An unknown path is 404, an unknown method 405.',
  'A pageNum or itemsPerPage that is below 1 or not a whole number, a flag that is neither true nor false, and a repeated parameter are 400 INVALID_QUERY_PARAMETER.',
  'The submitted roles of an API key replace those in the organization of the path; its project roles stay.',
  'Alerts open after the smallest delayMin; one without delay is OPEN at once. A notification without intervalMin is sent once. A window silences alerts from its startDate (inclusive) to its endDate (exclusive).',
  'Deleting an integration leaves INTEGRATION_DELETED_AUDIT, whose raw document names the type. Changes through `/_control/` leave no events.',
  'A role of endpoints 9 and 11 must have a roleName, although the description calls it optional: without one it is 400 MISSING_ATTRIBUTE, because the description does not say what it would mean.',
  'Role changes leave USER_ROLES_CHANGED_AUDIT in each affected organization or project, and new invitations INVITED_TO_ORG or INVITED_TO_GROUP; a creation leaves USER_CREATED_AUDIT in each affected organization, or in that of the caller.',
  'API_KEY_DESCRIPTION_CHANGED and API_KEY_ROLES_CHANGED are left for each submitted field, whether its value has changed or not.',
  'Endpoint 14 accepts its path with and without the trailing slash; no other endpoint does.',
  'The error fields of a process are inside each process of the automation status, as in the samples.',
  'Lists are in the order of creation, events newest first. Notifications are kept for `/_control/notifications`, and never sent.',
  'Endpoint 13 needs a personal key: an organization API key has no current user (401 NO_CURRENT_USER).',
  'Without an owner role, users can only remove their own roles. Nobody can grant roles in an organization or project that they do not own.',
]

const openSettings = (): Setting[] => settings.filter(({ name }) => name.startsWith('open.'))

const page = (source: string, title: string, parts: readonly string[]): string =>
  `<!-- Generated by \`npm run generate\` from ${source}. Do not edit. -->\n\n# ${title}\n\n${parts.join('\n\n')}\n`

const table = (rows: readonly Setting[]): string => {
  const lines = rows.map(
    (setting) =>
      `| \`${setting.name}\` | ${values(setting)} | ${code(setting.default)} | ${cell(setting.meaning)} |`,
  )
  return ['| Setting | Values | Default | Meaning |', '|---|---|---|---|', ...lines].join('\n')
}

const readings = (rows: readonly Setting[]): string => {
  const lines = rows.map(
    (setting) =>
      `| \`${setting.name}\` | ${cell(setting.meaning)} | ${values(setting)} | ${setting.endpoints?.join(', ') ?? 'all'} |`,
  )
  return [
    '| Setting | Meaning | Values, the default first | Endpoints |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n')
}

const values = (setting: Setting): string => setting.values.map(code).join(', ')

const code = (value: string): string => (value === '' ? '(empty)' : `\`${value}\``)

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)
