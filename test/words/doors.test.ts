import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reason, type Reason } from '@deploymgmt/provider/engine'
import { describe, expect, it } from 'vitest'
import { words as terraform } from '../../provider/terraform/words/engine.ts'
import { SHARED } from '../../provider/words/shared.ts'
import { commandWords } from '../../reconciler/render/wording/words.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** A value for every placeholder of every text. */
const FACTS = {
  from: 'users.old',
  to: 'users.new',
  found: 'nothing',
  because: 'This API has no call for it; set {enabled: false}, or {.alertTypeNames}.',
  step: { text: 'By hand: set {enabled: false} in {projectId}.', of: { projectId: '5c81' } },
  by: 'allowEmpty',
  forgotten: true,
  place: { projectId: '5c81' },
  endpoint: 18,
  key: 'alertConfigId',
  field: 'alertTypeNames',
  days: 30,
  fields: ['alertTypeNames'],
  lacking: ['192.0.2.0/24'],
  extra: [],
  onRemove: 'restore',
  address: 'users.dana[5980]',
  addresses: ['users.dana'],
  more: 2,
  needs: 'userId',
  summary: 'It is forgotten; set {onRemove: restore}.',
  later: ['roles'],
  elements: ['ORG_OWNER'],
  count: 2,
  value: 'ORG_OWNER',
  scope: '5980',
  removed: 4,
  changed: 4,
  unseen: 2,
  places: [{ place: { projectId: '5c81' }, count: 4 }],
  times: ['2026-03-29T02:00:00'],
  zone: 'Europe/Madrid',
  total: 10,
  kind: 'user',
  section: 'users',
  sections: ['users', 'maintenanceWindows'],
  org: '5980',
  projects: ['5c81'],
  at: '2026-11-02T00:00:00Z',
  status: 403,
  byRecords: true,
  glob: 'users.*',
  kept: [{ field: 'alertTypeNames', elements: ['HOST'] }],
  id: '6b00',
  ids: ['6b00'],
  twins: ['maintenanceWindows.one', 'maintenanceWindows.other'],
  open: 1,
  until: '2035-01-01T00:00:00Z',
  since: '2026-11-02T00:00:00Z',
  event: '6b00',
  events: [{ id: '6b00', eventTypeName: 'CHANGED', created: '2026-11-20T12:00:00Z', publicKey: 'oncall' }],
  name: 'dana@example.com',
  learnBy: ['desc'],
}
const DOOR_CODES = [
  'candidate-not-told',
  'deletes-unlisted',
  'event-about-undeclared',
  'events-left-unread',
  'exists-id-unknown',
  'kept-in-answer',
  'nowhere-to-look',
  'renamed-and-edited',
  'strangers-there',
  'target-meets-nothing',
  'undeclared-ended',
]
const codes = [...Object.keys(SHARED), ...DOOR_CODES]
const reasonOf = (code: string): Reason => ({ code, ...FACTS }) as unknown as Reason

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(?:^|\/)(?:dist|node_modules)\//.test(file))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))

describe.each([
  ['the command', commandWords()],
  ['Terraform', terraform],
])('%s', (_, words) => {
  it.each(codes)('words %s', (code) => {
    const said = words.whole(reasonOf(code))
    expect(said).toMatch(/\w+ \w+|\w{4}/)
    expect(said).not.toMatch(/undefined|\[object|\{|\}/)
  })
})

describe('a reason as a sentence of its own', () => {
  const { sentence } = commandWords()

  it.each([
    [reason('sent-first', { fields: ['desc'], later: ['roles'] }), 'desc is sent first, without roles: '],
    [reason('create-only', { fields: ['roles'] }), 'roles can only be given at creation; '],
    [reason('remains-after-release', { fields: ['accessList'] }), 'accessList remain at the service; '],
    [reason('unreadable', { because: '{.roles} is in no answer' }), 'roles is in no answer.'],
    [reason('deletes-unlisted', { address: 'users.dana' }), 'users.dana would be deleted because '],
    [reason('ended'), 'It has ended; nothing can change it.'],
    [reason('invited', { elements: ['ORG_OWNER'] }), 'Invited, not accepted when last seen: ORG_OWNER.'],
    [reason('unreadable', { because: 'no endpoint returns roles' }), 'No endpoint returns roles.'],
  ] as const)('begins with a capital, and a name with its own letter: %j', (given, said) => {
    expect(sentence(given).startsWith(said)).toBe(true)
  })

  it('has names as Terraform spells them', () => {
    expect(terraform.sentence(reason('remains-after-release', { fields: ['accessList'] }))).toBe(
      'access_list remain at the service; remove them by hand.',
    )
  })
})

describe('the words of Terraform', () => {
  it.each(codes)('name no command and no manifest for %s', (code) => {
    const said = terraform.whole(reasonOf(code))
    expect(said).not.toMatch(/deploymgmt \w|manifest|--\w/)
    expect(said).not.toMatch(/alertTypeNames|allowEmpty|onRemove|enabled: false/)
  })
})

describe('the reasons that the code gives', () => {
  const sources = [...sourcesIn('provider'), ...sourcesIn('reconciler')]
  const given = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/\breason\(\s*'([a-z-]+)'/g)].map(([, code = '']) => code),
    ),
  )

  it('are those that are worded, and no others', () => {
    expect(given).toEqual(new Set(codes))
  })
})

it('a guard names a kind as its door does, and groups the digits of its counts', () => {
  const many = reason('removes-many', { removed: 4000, total: 12_000, kind: 'alert_configuration' })
  expect(commandWords().says(many)).toBe(
    'would remove 4,000 of 12,000 recorded alert configurations, more than 30 %',
  )
  expect(terraform.says(many)).toContain('4,000 of 12,000 recorded deploymgmt_alert_configuration,')
})

it('changes in more projects than are named are counted, and so are these projects', () => {
  const places = Array.from({ length: 13 }, (_, index) => ({ place: { projectId: `p${index}` }, count: 2 }))
  const many = { kind: 'user', field: 'roles', changed: 26, unseen: 26, total: 26, places }
  expect(commandWords().says(reason('changes-many', many))).toContain('2 in p9, 6 in 3 more)')
})
