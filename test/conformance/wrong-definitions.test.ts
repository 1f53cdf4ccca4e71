import {
  boolean,
  del,
  everything,
  get,
  getList,
  named,
  none,
  nothing,
  partly,
  post,
  string,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { expect, test } from 'vitest'
import snapshotSchedule from '../docs/snapshot-schedule.ts'
import { team } from '../support/team.ts'
import { faultsOf } from './support/faults.ts'

/** Definitions that compile, and of which a plan would pass something over. Each fault names the word that is wrong. */

const schedule: KindDefinition = snapshotSchedule
const teams: KindDefinition = team
const { adopt, create } = teams.establish
const made = (more: object): KindDefinition => ({
  ...teams,
  establish: { adopt, create: { ...(isOf(create) ? create : undefined), ...more } as typeof create },
})
const isOf = (word: typeof create): word is Exclude<typeof create, { none: string }> => 'operation' in word
const LIST = getList('/orgs/{orgId}/teams', 22)

test.each([schedule, teams].map((kind) => [kind.kind, kind] as const))('%s has no fault', (_, kind) => {
  expect(faultsOf(kind)).toEqual([])
})

const wrong: readonly (readonly [string, KindDefinition, readonly string[]])[] = [
  [
    'names a field that it does not have',
    { ...teams, identity: { ...teams.identity, unique: ['title'] } },
    ['identity.unique: the kind has no field title'],
  ],
  [
    'learns by a field that no call writes',
    { ...teams, establish: { create, adopt: { learnBy: ['teamId'] } } },
    ['establish.adopt.learnBy: no call writes teamId'],
  ],
  [
    'guards a field that no call writes',
    {
      ...teams,
      guards: [
        { guard: 'nothing-beside', field: 'orgId', flag: '--allow-role-removal', because: 'it is lost' },
      ],
    },
    ['guards: no call writes orgId'],
  ],
  [
    'ends at something that is no instant',
    {
      ...teams,
      lifetime: { endsAt: 'name', dates: ['name'], overCodes: /ENDED/, timeFrom: LIST },
    },
    [
      'lifetime.endsAt: name has to be of the type instant',
      'lifetime.dates: name has to be of the type instant',
    ],
  ],
  [
    'reads a field in a rule that it does not have',
    { ...teams, rules: [{ over: 'entry', reads: ['title'], check: () => [] }] },
    ['rules[0]: the kind has no field title'],
  ],
  [
    'is named by a field that is sent in bodies',
    { ...teams, fields: { ...teams.fields, orgId: string('Organization.') } },
    [
      'identity: orgId names the thing, and its field lacks names()',
      'fields.orgId: no call changes it, so what is read of it is never compared; make it computed(), or take it out of fields and name it in fixed',
    ],
  ],
  [
    'keeps a field out of bodies that is in no path',
    { ...teams, fields: { ...teams.fields, region: string('Region.').names() } },
    ['fields.region: it has names(), so no body has it, and identity does not have it either'],
  ],
  [
    'changes with another method than the engine sends',
    {
      ...teams,
      write: { operation: post('/orgs/{orgId}/teams/{teamId}', 25), fields: ['name', 'usernames'] },
    },
    ['write: the engine sends PATCH there, and this is POST'],
  ],
  [
    'lists by a path that is about one thing',
    {
      ...teams,
      observe: everything(get('/orgs/{orgId}/teams/{teamId}', 23), none('the list shows them all')),
    },
    [
      'observe.list: it has to be a list, made with getList',
      'observe.list: its path has {teamId}, which identity does not know at that time',
    ],
  ],
  [
    'creates by a path with the id that the answer brings',
    made({ operation: post('/orgs/{orgId}/teams/{teamId}', 24) }),
    ['establish.create: its path has {teamId}, which identity does not know at that time'],
  ],
  [
    'creates what people name, and tells the name to nobody',
    { ...made({}), identity: named(['orgId'], 'teamId') },
    ['establish.create: no body has teamId, and neither has its path, so nothing names what is made'],
  ],
  [
    'is created only once, and does not say what a person does then',
    made({ once: true }),
    ['establish.create: a second creation is refused, and conflict does not say what a person does'],
  ],
  [
    'shows a field that no call changes',
    {
      ...schedule,
      write: none('this API has no call to change a schedule'),
      release: { forget: teams.release['forget']! },
    },
    ['intervalHours', 'retentionDays', 'fullOn', 'mode'].map(
      (name) =>
        `fields.${name}: no call changes it, so what is read of it is never compared; make it computed(), or take it out of fields and name it in fixed`,
    ),
  ],
  [
    'compares a field that nothing reads',
    { ...teams, fields: { ...teams.fields, isOpen: boolean('Whether anybody may join.').comparedOnly() } },
    ['fields.isOpen: it is comparedOnly(), and observe has no part of this name'],
  ],
  [
    'reads a part that it also writes, and finds nothing that nobody declares',
    {
      ...teams,
      observe: partly('no endpoint shows a team', {
        usernames: {
          list: getList('/orgs/{orgId}/teams/{teamId}/users', 27),
          item: ({ username }) => username,
          goneCodes: /TEAM_NOT_FOUND/,
          placeCodes: /ORG_NOT_FOUND/,
          byHand: 'By hand: Organization {orgid} → Teams.',
        },
      }),
    },
    [
      'observe.parts.usernames: its field lacks comparedOnly()',
      'unmanaged: observe has no list, so things that nobody declares are never found',
      'observe.parts.usernames.byHand: {orgid} names no field',
    ],
  ],
  [
    'restores what no endpoint shows',
    { ...schedule, observe: nothing('no endpoint shows a schedule') },
    [
      'release.restore: no endpoint shows whether it is untouched, so nothing is ever sent',
      'unmanaged: observe has no list, so things that nobody declares are never found',
    ],
  ],
  [
    'deletes what no entry can declare absent',
    {
      ...teams,
      absence: {
        operation: del('/orgs/{orgId}/teams/{teamId}', 26),
        deletable: [],
        unlisted: '--allow-delete',
        byHand: 'By hand: Organization {orgId} → Teams.',
      },
    },
    [
      'absence: no entry can say that a thing must not exist, so its call is never sent; use oneOrOnly',
      'absence.deletable: it names no key, so nothing is deleted',
    ],
  ],
  [
    'has a sentence with a placeholder that is no field',
    made({ conflict: 'It exists already. Declare its {.teamid}, or {rolesComplete: true}.' }),
    [
      'establish.create.conflict: {.teamid} names no field',
      'establish.create.conflict: {rolesComplete: true} names no field',
    ],
  ],
]

test.each(wrong)('a kind that %s is told so', (_, kind, faults) => {
  expect(faultsOf(kind)).toEqual(faults)
})
