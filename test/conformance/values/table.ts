import type { KindDefinition, Values } from '@deploymgmt/provider/core'
import { alertConfiguration, apiKey, integration, maintenanceWindow, user } from '@deploymgmt/provider/kinds'
import type { DoorName } from './doors.ts'

/** One value of one field, as in a manifest; every door accepts it, or every door refuses it. */
export interface Row {
  readonly kind: KindDefinition
  readonly field: string
  readonly value: unknown
  readonly is: 'good' | 'bad'
  /** Doors that cannot express the value or read it as another one, each with the reason. */
  readonly not: Readonly<Partial<Record<DoorName, string>>>
}

const ORG = '5980cfdf0b6d97029d82f86e'
const PROJECT = '5c8100bcf2a30b12ff88258f'

/** Valid values of each kind, of which a row changes one field. */
export const sound = new Map<KindDefinition, Values>([
  [apiKey, { orgId: ORG, apiKeyId: '5c47503320eef5699e1cce8f' }],
  [
    user,
    {
      username: 'dana@example.com',
      emailAddress: 'dana@example.com',
      firstName: 'Dana',
      lastName: 'Reyes',
      mobileNumber: '2125550198',
      password: { env: 'DANA_INITIAL_PASSWORD' },
      roles: [{ roleName: 'ORG_MEMBER', orgId: ORG }],
    },
  ],
  [alertConfiguration, { projectId: PROJECT, alertConfigId: '5d1113b25a115342acc2d1aa', enabled: true }],
  [
    maintenanceWindow,
    {
      projectId: PROJECT,
      alertTypeNames: ['HOST'],
      startDate: '2035-01-06T02:00:00Z',
      endDate: '2036-12-31T04:00:00Z',
    },
  ],
  [integration, { projectId: PROJECT, type: 'PAGING' }],
])

const rows =
  (is: Row['is']) =>
  (kind: KindDefinition, field: string, values: readonly unknown[], not: Row['not'] = {}): Row[] =>
    values.map((value) => ({ kind, field, value, is, not }))
const good = rows('good')
const bad = rows('bad')

const UTF8 = { terraform: 'Terraform’s texts are UTF-8, which has no halves of characters' }
const OUTSIDE = { terraform: 'Terraform itself has no such argument', 'cdk.tf.json': 'nor here' }
const FLAGS = { manifest: 'flags of the command say it' }
const PLANNED = { terraform: 'what a creation lacks is said when it is planned' }
const TURNED = { manifest: 'YAML says true, where Terraform turns it into the text "true"' }
const READ_AS_TRUE = { manifest: 'YAML says that it is a text, where Terraform reads it as true' }

const id = [
  ...good(apiKey, 'apiKeyId', ['a', '5c47503320eef5699e1cce8f', 'x'.repeat(200), 'ä-1', '...']),
  ...good(apiKey, 'apiKeyId', [123], { manifest: 'YAML says a number, where Terraform turns it into text' }),
  ...bad(apiKey, 'apiKeyId', ['', '.', '..', 'a/b', 'a\\b', 'a b', 'a\u202Eb', 'a\0', 'a\u200B']),
  ...bad(apiKey, 'apiKeyId', ['x'.repeat(201), ['a'], { a: 'b' }]),
  ...bad(apiKey, 'apiKeyId', ['a\uD800', '\uDC00'], UTF8),
  ...bad(user, 'roles', [[{ roleName: 'ORG_MEMBER', orgId: '..' }]]),
]

const text = [
  ...good(apiKey, 'desc', ['a', 'é'.repeat(250), '\u{1F600}'.repeat(250), 'a\nb', 7]),
  ...bad(apiKey, 'desc', ['', 'é'.repeat(251), '\u{1F600}'.repeat(251), ['a'], {}]),
  ...bad(apiKey, 'desc', ['half a pair: \uD83D', '\uDE00'], UTF8),
  ...good(apiKey, 'desc', [true], TURNED),
  ...good(maintenanceWindow, 'description', ['', 'Storage']),
  ...bad(maintenanceWindow, 'description', ['\uD800'], UTF8),
  ...bad(user, 'username', ['']),
]

const cidr = [
  ...good(apiKey, 'accessList', [
    ['198.51.100.7'],
    ['192.0.2.0/24', '10.0.0.1/32', '0.0.0.0/0'],
    ['2001:db8::/32', '2001:DB8:0:0::1', '::1', '::', '::/0', '::1/128'],
    ['::ffff:192.0.2.0/120', '::ffff:192.0.2.7'],
    [],
  ]),
  ...bad(apiKey, 'accessList', [
    ['192.0.2.5/24'],
    ['2001:db8:0:1::1/48'],
    ['::ffff:192.0.2.7/120'],
    ['010.0.0.1'],
    ['10.0.0.0/08'],
    ['10.0.0.0/'],
    ['10.0.0.0/+8'],
    ['192.0.2.0/33'],
    ['2001:db8::/129'],
    ['192.0.2.256'],
    ['192.0.2'],
    ['3221225985'],
    ['fe80::1%eth0'],
    ['1::2::3'],
    ['[::1]'],
    ['192.0.2.0/24/24'],
    [' 192.0.2.1'],
    ['example.com'],
    [''],
    [null],
    [['192.0.2.1']],
    '192.0.2.1',
  ]),
]

const instant = [
  ...good(maintenanceWindow, 'startDate', [
    '2026-12-05T02:00:00Z',
    '2026-12-05T02:00:00.5Z',
    '2026-12-05T02:00:00.123456789Z',
    '2026-12-05T02:00:00+01:00',
    '2024-02-29T23:59:59-23:59',
  ]),
  ...bad(maintenanceWindow, 'startDate', [
    '2026-12-05',
    '2026-12-05 02:00:00Z',
    '2026-12-05T02:00:00',
    '2026-12-05T02:00Z',
    '2026-12-05t02:00:00z',
    '2026-12-05T02:00:00+0100',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-12-05T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-12-05T02:00:00+24:00',
    'tomorrow',
    '',
    1764900000,
    [],
  ]),
  ...bad(maintenanceWindow, 'endDate', ['2035-01-06T02:00:00Z', '2035-01-06T03:00:00+01:00']),
]

const words = [
  ...good(apiKey, 'roles', [['ORG_MEMBER'], ['ORG_MEMBER', 'ORG_OWNER'], ['ORG_OWNER', 'ORG_OWNER']]),
  ...bad(apiKey, 'roles', [[], ['ORG_REDA_ONLY'], ['org_owner'], ['GROUP_OWNER'], ['']]),
  ...bad(apiKey, 'roles', [[null], [3], 'ORG_MEMBER', { a: 'ORG_MEMBER' }]),
  ...good(integration, 'type', ['CHAT_C', 'METRICS_SCRAPER']),
  ...bad(integration, 'type', ['PAGNG', 'paging', '', ['PAGING']]),
  ...good(integration, 'ensure', ['present', 'absent']),
  ...bad(integration, 'ensure', ['gone', true]),
  ...bad(user, 'roles', [[{ roleName: 'ORG_OWNR', orgId: ORG }]]),
  // The API does not list all values.
  ...good(maintenanceWindow, 'alertTypeNames', [['HOST'], ['HOSTS'], ['SOMETHING_NEW', 'HOST', 'HOST']]),
  ...bad(maintenanceWindow, 'alertTypeNames', [[], [''], [null], 'HOST']),
  ...bad(maintenanceWindow, 'alertTypeNames', [['\uD800']], UTF8),
  ...good(apiKey, 'onRemove', ['forget']),
  ...bad(apiKey, 'onRemove', ['end', 'forgte', '']),
  ...good(maintenanceWindow, 'onRemove', ['end', 'forget']),
]

const booleans = [
  ...good(alertConfiguration, 'enabled', [true, false]),
  ...bad(alertConfiguration, 'enabled', ['yes', 'on', '', 1, []]),
  ...good(alertConfiguration, 'enabled', ['true', 'false'], READ_AS_TRUE),
  ...bad(alertConfiguration, 'enabled', ['true'], {
    terraform: 'Terraform reads it as true',
    'cdk.tf.json': 'as Terraform does',
  }),
  ...good(apiKey, 'apiKeyId', [true], TURNED),
  ...good(apiKey, 'desc', [false], TURNED),
]

const objects = [
  ...bad(user, 'roles', [
    ['ORG_OWNER'],
    [{ orgId: ORG }],
    [{ rolName: 'ORG_OWNER', orgId: ORG }],
    [{ roleName: 'ORG_OWNER', orgId: ORG, team: 'a' }],
    [{ roleName: null, orgId: ORG }],
    [{ roleName: 'ORG_OWNER' }],
    [{ roleName: 'GLOBAL_OWNER', orgId: ORG }],
    [null],
    {},
  ]),
  ...good(user, 'roles', [
    [],
    [
      { orgId: ORG, roleName: 'ORG_OWNER' },
      { roleName: 'ORG_OWNER', orgId: ORG },
    ],
    [{ roleName: 'GLOBAL_OWNER' }],
  ]),
  ...bad(alertConfiguration, 'select', [{ eventTypeName: 'HOST_DOWN' }]),
]

const selected = (select: unknown): unknown => ({ alertConfigId: undefined, select })
const several = [
  ...good(
    alertConfiguration,
    '',
    [
      { eventTypeName: 'HOST_DOWN' },
      { eventTypeName: 'NEW_TYPE' },
      { matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1' }] },
    ].map(selected),
  ),
  ...bad(
    alertConfiguration,
    '',
    [{}, { matchers: [{}] }, { eventTypName: 'HOST_DOWN' }, { enabled: true }, 'HOST_DOWN', [{}]].map(
      selected,
    ),
  ),
  ...good(integration, '', [
    { type: undefined, only: ['PAGING'] },
    { type: undefined, only: [] },
  ]),
  ...bad(integration, '', [{ type: undefined }, { only: ['PAGING'] }, { type: undefined, only: ['PAGNG'] }]),
  ...bad(apiKey, '', [{ apiKeyId: undefined }]),
  ...bad(maintenanceWindow, '', [{ startDate: undefined }, { alertTypeNames: undefined }], PLANNED),
  ...bad(user, '', [{ roles: undefined }, { username: undefined }], PLANNED),
]

const unknown = [
  ...bad(apiKey, 'rolse', [['ORG_OWNER']]),
  ...bad(apiKey, 'publicKey', ['abcdefgh']),
  ...bad(apiKey, 'constructor', ['x']),
  ...bad(integration, 'serviceKey', ['x']),
  ...bad(maintenanceWindow, 'id', ['5d1113b25a115342acc2d1aa']),
  ...bad(apiKey, 'protect', ['yes'], OUTSIDE),
]

const acts = [
  ...good(apiKey, 'allow', [['owner-removal'], ['role-removal', 'overwrite'], []], FLAGS),
  ...good(integration, 'allow', [['delete'], ['overwrite']], FLAGS),
  ...good(user, 'allow', [['owner-removal']], FLAGS),
  ...bad(integration, 'allow', [['role-removal'], ['owner-removal']]),
  ...bad(apiKey, 'allow', [['delete'], ['owner-removel'], [null], [''], 'overwrite']),
  ...bad(user, 'allow', [['role-removal']]),
  ...bad(maintenanceWindow, 'allow', [['delete']]),
]

const secrets = [
  ...good(user, 'password', [{ env: 'X' }]),
  ...bad(user, 'password', ['hunter2', { file: '' }, { env: 'A', file: 'b' }, {}, 3], {
    terraform: 'a write-only value is the secret itself',
    'cdk.tf.json': 'a variable stands for it',
  }),
]

export const table: readonly Row[] = [
  ...id,
  ...text,
  ...cidr,
  ...instant,
  ...words,
  ...booleans,
  ...objects,
  ...several,
  ...unknown,
  ...acts,
  ...secrets,
]
