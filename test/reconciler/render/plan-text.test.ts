import { describe, expect, it } from 'vitest'
import type { PlanDocument } from '../../../reconciler/render/document/plan-model.ts'
import {
  about,
  change,
  dana,
  HEAD,
  hostDown,
  inSync,
  migration,
  oldChat,
  ORGANIZATION,
  paging,
  planOf,
  planText,
  PROJECT,
  reporting,
} from './support/documents.ts'
import { text } from './support/text.ts'

const picture = planOf([reporting, hostDown, migration, paging, oldChat], {
  summary: { unchanged: 9 },
})
const role = (roleName: string, orgId: string) => ({ roleName, orgId })
const update = (fields: Parameters<typeof change>[0]['fields'], address = 'users.kim') =>
  change({
    address,
    action: 'update',
    reasonCode: 'declared-differs',
    reason: 'the declared values differ from those last applied',
    evidence: { level: 'recorded' },
    fields: fields ?? [],
  })

const leftOut = (name: string, column: number) =>
  ({ is: 'project', name, at: `a.yaml:4:${column}`, excluded: true }) as const

const words = (word: string): string => Array.from({ length: 60 }, (_, index) => `${word}${index}`).join(' ')

const headOf = (given: Partial<typeof about>, width = 200): string =>
  planText(planOf([migration], { about: { ...about, ...given } }), { width }).split('\n\n')[0] ?? ''
const last = (doc: PlanDocument): string => planText(doc, { width: 200 }).split('\n').at(-1) ?? ''

describe('a plan', () => {
  it('reads as the picture of it, ordered by what is done', () => {
    expect(planText(picture, { width: 90 })).toBe(text`
deploymgmt plan · acme-production at opsmgr.example.com · key ciadmin
  organization 5980cfdf0b6d97029d82f86e · 2 projects · 14 declared · 6 requests · 0.31 s

  + maintenanceWindows.migration                                   deploymgmt.yaml:31
      alertTypeNames   HOST, REPLICA_SET
      startDate        2026-12-05 02:00 UTC  (in 15 days)
      endDate          2026-12-05 04:00 UTC  (2 h)

  ~ alertConfigurations.host-down[5d1113b25a115342acc2d0f3]        deploymgmt.yaml:26
      enabled          false → true
      changed outside by key "oncall" (192.0.2.8) on 2026-11-18 09:12:00 UTC, event 5dc9…

  - integrations.old-chat  (CHAT_A)                                deploymgmt.yaml:44

  ! integrations.paging                                            deploymgmt.yaml:43
      declared present, not found; this API has no call to create it.
      By hand: Project payments → Integrations → PAGING, then plan again.

  ? apiKeys.reporting                                              deploymgmt.yaml:12
      cannot be verified; as recorded on 2026-11-02. No endpoint returns an API key. No
        event about it since.

1 to create, 1 to change, 1 to delete · 1 blocked · 1 not verifiable · 9 in sync
apply and plan --detailed-exitcode end with exit code 2`)
  })

  it('says which projects an explained entry leaves out, however many', () => {
    const from = [
      { is: 'entry', at: 'a.yaml:8:1' } as const,
      { is: 'project', name: 'projects', at: 'a.yaml:2:1' } as const,
      leftOut('projects.b', 1),
      leftOut('projects.c', 9),
    ]
    const address = 'integrations.paging'
    const shown = planText(
      planOf([paging], { explained: { address, values: [{ field: 'projectId', from }] } }),
      {
        width: 200,
      },
    )
    expect(shown).toContain(
      ' ← projects at a.yaml:2:1, except projects.b at a.yaml:4:1, projects.c at a.yaml:4:9',
    )
  })

  it.each([
    ['tells an end that is over, which a window in force meets at once', '05:55', '5 min ago'],
    ['says how long a window is', '06:05', '2 h 5 min'],
  ])('%s', (_, time, aside) => {
    const endDate = `2026-11-20T${time}:00Z`
    const plan = planText(
      planOf([
        change({
          address: 'maintenanceWindows.migration',
          action: 'update',
          after: { startDate: '2026-11-20T04:00:00Z', endDate },
          fields: [{ path: 'endDate', before: '2026-11-20T09:00:00Z', after: endDate }],
        }),
      ]),
    )
    expect(plan).toContain(`2026-11-20 ${time} UTC  (${aside})`)
  })

  it('says of which declaration, installation, key and organizations it is', () => {
    const organizations = [ORGANIZATION, '5980cfdf0b6d97029d82f86f']
    const figures = '2 projects · 14 declared · 6 requests · 0.31 s'
    const where = 'deploymgmt plan · acme-production at opsmgr.example.com · key ciadmin'
    expect(headOf({})).toBe(`${where} · organization ${ORGANIZATION} · ${figures}`)
    expect(headOf({}, 100)).toBe(`${where}\n  organization ${ORGANIZATION} · ${figures}`)
    expect(headOf({ organizations })).toContain(`organizations ${organizations.join(', ')} ·`)
    expect(headOf({ organizations: [...organizations, 'c', 'd'] })).toContain(' · 4 organizations · ')
    expect(headOf({ organizations: [] })).toBe(`${where} · ${figures}`)
    const [first = '', second = ''] = HEAD.projects
    const payments = { id: first, name: 'payments' }
    const all = [payments, { id: second, name: 'search' }, { id: 'c', name: 'of no entry' }]
    expect(headOf({ projects: all })).toContain(' · projects payments, search · 14 declared')
    expect(headOf({ projects: [payments, { id: second }] })).toContain(' · 2 projects · ')
    const unnamed = [payments, { id: second }, { id: 'c', name: 'of no entry' }]
    expect(headOf({ projects: unnamed })).toContain(' · 2 of 3 projects · ')
    expect(headOf({ baseUrl: 'https://a.example.com:8443/ops/api/public/v1.0' })).toContain(
      'acme-production at a.example.com:8443/ops · ',
    )
    expect(headOf({ baseUrl: 'http://localhost/api/public/v1.0' })).toContain('at localhost · key')
  })

  it('puts the project of a change below an address that leaves it no room', () => {
    const [first = '', second = ''] = HEAD.projects
    const names = new Map([
      [first, 'payments'],
      [second, 'search'],
    ])
    const address = `alertConfigurations.down[${first}/5d1113b25a115342acc2d0f3]`
    const doc = planOf([{ ...hostDown, address, after: { projectId: first } }])
    const at = '\n      deploymgmt.yaml:26'
    expect(planText(doc, { width: 80, names })).toContain(`  ~ ${address}${at}  (payments)\n`)
    expect(planText(doc, { width: 100, names })).toContain(`  ~ ${address}  (payments)${at}\n`)
  })

  it('says what an apply of it ends with, where something is left in any case', () => {
    expect(last(planOf([paging, migration]))).toBe(
      '1 to create · 1 blocked · apply and plan --detailed-exitcode end with exit code 2',
    )
    const strangers = [{ kind: 'maintenance_window', identity: { id: 'a' }, at: '2026-11-20T05:00:00Z' }]
    expect(last(planOf([paging], { strangers }))).toBe('1 blocked · apply and plan end with exit code 3')
    expect(last(planOf([migration]))).toBe('1 to create')
    const needs = [{ flag: '--allow-delete', because: 'an only-list removes it' }]
    expect(last(planOf([paging, migration], { needs }))).toBe(
      '1 to create · 1 blocked · plan --detailed-exitcode ends with exit code 2',
    )
  })

  it('with nothing to do is one line, and begins with that', () => {
    expect(planText(planOf([], { summary: { unchanged: 12 } }), { width: 200 })).toBe(
      `deploymgmt plan · nothing to do · 12 in sync · acme-production at opsmgr.example.com · key ciadmin · organization ${ORGANIZATION} · 6 requests · 0.31 s`,
    )
  })

  it('with nothing to do names what cannot be verified, those with one reason together', () => {
    const doc = planOf([reporting, dana, { ...dana, address: 'users.sam' }], {
      summary: { unchanged: 12 },
    })
    expect(planText(doc, { width: 100 })).toBe(text`
deploymgmt plan · nothing to do · 3 not verifiable, 12 in sync
  acme-production at opsmgr.example.com · key ciadmin · organization 5980cfdf0b6d97029d82f86e
  6 requests · 0.31 s
  ? apiKeys.reporting: as recorded on 2026-11-02. No endpoint returns an API key. No event about it
    since.
  ? users.dana, users.sam: as recorded on 2026-11-03. No endpoint returns a user. No event about it
    since.`)
  })

  it('of a target never claims that everything is in sync', () => {
    const doc = planOf([], { inSync: false, targeted: ['alertConfigurations.*'], summary: { unchanged: 1 } })
    expect(planText(doc)).toContain('nothing to do among the targets · 1 in sync')
    expect(planText(doc)).toContain('only alertConfigurations.*')
  })

  it('takes no line break within a name for a line of its own', () => {
    const forged = { ...hostDown, reason: 'a\nforged', reasonCode: 'x', byHand: 'b\nforged' }
    const shown = planText(planOf([forged], { warnings: ['c\nforged'] }))
    expect(shown.match(/^\s*forged/m)).toBeNull()
    expect(shown.match(/\\nforged/g)).toHaveLength(3)
  })

  it('says when there is nothing at all', () => {
    expect(planText(planOf([]))).toContain('nothing declared, nothing recorded')
  })

  it('shows what is in sync with --all, each on a line', () => {
    const doc = planOf([inSync('alertConfigurations.cpu'), inSync('alertConfigurations.noisy')])
    expect(planText(doc, { all: true, width: 60 })).toBe(text`
deploymgmt plan · acme-production at opsmgr.example.com
  key ciadmin · organization 5980cfdf0b6d97029d82f86e
  2 projects · 14 declared · 6 requests · 0.31 s

    alertConfigurations.cpu               deploymgmt.yaml:50
    alertConfigurations.noisy             deploymgmt.yaml:50

2 in sync`)
  })

  it('says with --all of each what it otherwise says of neighbours once', () => {
    const found = ['alertConfigurations.cpu', 'alertConfigurations.noisy'].map((address) =>
      change({
        address,
        action: 'adopt',
        reason: 'declared, not recorded; the live values are as declared',
        reasonCode: 'not-recorded-as-declared',
      }),
    )
    const times = (all: boolean): number =>
      planText(planOf(found), { all }).split('the live values are as declared').length - 1
    expect([times(false), times(true)]).toEqual([1, 2])
  })

  it('that was saved leaves out the figures it does not know', () => {
    const head = { title: 'saved plan', asOf: '2026-11-20T12:21:00Z', projects: [], declared: 0, seconds: 0 }
    expect(planText(picture, { width: 200 }, head).split('\n')[0]).toBe(
      `deploymgmt saved plan · as of 2026-11-20 12:21 UTC · acme-production at opsmgr.example.com · key ciadmin · organization ${ORGANIZATION} · 6 requests`,
    )
  })

  it('says each needed flag and its reason with the change, and those of the whole plan once', () => {
    const need = { flag: '--allow-delete', because: 'integrations.x[CHAT_B] would be deleted' }
    const whole = { flag: '--allow-mass-removal', because: '4 of 10 would be removed' }
    const doc = planOf([{ ...oldChat, needs: [need] }], {
      needs: [whole],
      warnings: ['the state file is readable by others'],
    })
    const shown = planText(doc, {})
    expect(shown).toBe(text`
deploymgmt plan · acme-production at opsmgr.example.com · key ciadmin
  organization 5980cfdf0b6d97029d82f86e · 2 projects · 14 declared
  6 requests · 0.31 s

  - integrations.old-chat  (CHAT_A)                                deploymgmt.yaml:44
      needs --allow-delete: integrations.x[CHAT_B] would be deleted

needs --allow-mass-removal: 4 of 10 would be removed
warning: the state file is readable by others.

1 to delete`)
  })

  it('says why something is blocked even where it also knows who changed it', () => {
    const reasonCode = 'protected-from-narrowing'
    const reason = 'protected: enabled would be narrowed, and the entry says protect: true'
    const shown = planText(planOf([{ ...hostDown, action: 'blocked', reasonCode, reason }]))
    expect(shown).toContain(reason)
    expect(shown).toContain('changed outside by key "oncall"')
  })

  it('puts the position on a line of its own where it has no room', () => {
    const far = { ...paging, declaredAt: 'manifests/production/payments/integrations.yaml:43:3' }
    const lines = planText(planOf([far]), { width: 60 }).split('\n')
    expect(lines.slice(4, 6)).toEqual([
      '  ! integrations.paging',
      '      manifests/production/payments/integrations.yaml:43',
    ])
  })
})

describe('the fields of a change', () => {
  const atHead = [ORGANIZATION]

  it('says the gains and losses of a long set an item a line, and cuts none of them', () => {
    const before = [role('ORG_MEMBER', ORGANIZATION), { roleName: 'GROUP_READ_ONLY', projectId: PROJECT }]
    const after = [role('ORG_OWNER', ORGANIZATION), { roleName: 'GROUP_READ_ONLY', projectId: PROJECT }]
    const shown = planText(planOf([update([{ path: 'roles', before, after }])]), { width: 80, atHead })
    expect(shown).toContain(text`
      roles            - ORG_MEMBER orgId 5980…
                       + ORG_OWNER orgId 5980…
                         and 1 unchanged`)
  })

  it('shortens ids that stand at its head alone, and only as far as they still differ', () => {
    const gone = '5980cfdf0b6d97029d82aaaa'
    const field = {
      path: 'roles',
      before: [role('ORG_OWNER', ORGANIZATION)],
      after: [role('ORG_OWNER', gone)],
    }
    const shown = planText(planOf([update([field])]), { width: 120, atHead })
    expect(shown).toContain(`ORG_OWNER orgId 5980cfdf0b6d97029d82f8… → ORG_OWNER orgId ${gone}`)
    const project = { path: 'roles', before: [], after: [{ roleName: 'GROUP_OWNER', projectId: gone }] }
    expect(planText(planOf([update([project])]), { width: 120, atHead })).toContain(
      `GROUP_OWNER projectId ${gone}`,
    )
  })

  it('shortens the ids of named projects only as far as those of one report differ', () => {
    const near = '5c8100bcf2a30b12ff88aaaa'
    const made = change({
      address: 'users.a',
      action: 'create',
      fields: [{ path: 'projectId', before: null, after: near }],
    })
    const shown = (...ids: string[]): string =>
      planText(planOf([made]), { names: new Map(ids.map((id) => [id, `p${ids.indexOf(id)}`])) })
    expect(shown(near)).toContain('p0 (5c81…)')
    expect(shown(near, '5c8100bcf2a30b12ff88258f')).toContain('p0 (5c8100bcf2a30b12ff88aa…)')
  })

  it('shows each item of a list that is to be written, also where nobody knows what was there', () => {
    const roles = ['ORG_MEMBER', 'ORG_READ_ONLY', 'ORG_OWNER'].map((each) => role(each, ORGANIZATION))
    const doc = planOf([
      change({
        address: 'users.kim',
        action: 'adopt',
        evidence: { level: 'unknown' },
        fields: [{ path: 'roles', before: null, after: roles }],
      }),
    ])
    expect(planText(doc, { width: 80, atHead })).toContain(text`
      roles            (not known) →
                       ORG_MEMBER orgId 5980…
                       ORG_READ_ONLY orgId 5980…
                       ORG_OWNER orgId 5980…
`)
  })

  it('shows with --all the whole of a text that is cut otherwise', () => {
    const fields = [{ path: 'description', before: words('old'), after: words('new') }]
    const created = { ...update(fields), action: 'create' as const }
    for (const each of [update(fields), created]) {
      const shown = planText(planOf([each]), { width: 80, all: true }).replaceAll(/\s+/g, ' ')
      expect(shown).toContain(words('new'))
      expect(shown.includes(words('old'))).toBe(each.action === 'update')
      expect(planText(planOf([each]), { width: 80 })).toContain('…')
    }
  })

  it('never cuts two long texts down to the same one', () => {
    const same = 'Storage migration of the payments cluster, as agreed with everyone on call; part '
    const field = { path: 'description', before: `${same}one`, after: `${same}two` }
    const shown = planText(planOf([update([field])]), { width: 80 })
    expect(shown).toContain('one\n')
    expect(shown).toContain('two\n')
  })

  it('tells a value that nobody has seen from none', () => {
    const unseen = update([
      { path: 'roles', before: null, after: ['ORG_MEMBER'], note: 'changed outside' },
      { path: 'desc', before: null, after: 'CI' },
    ])
    const shown = planText(planOf([unseen]))
    expect(shown).toContain('roles            (not known) → ORG_MEMBER  (changed outside)')
    expect(shown).toContain('desc             (none) → CI')
  })

  it('words the cause as weakly as it is known', () => {
    const actor = { ...hostDown.actor, username: 'dana@example.com', confidence: 'low' as const }
    const events = [1, 2, 3].map((id) => ({
      id: String(id),
      eventTypeName: 'X',
      created: '2026-11-18T09:12:00Z',
    }))
    const doc = planOf([{ ...hostDown, actor: actor as never, evidence: { level: 'read', events } }])
    const shown = planText(doc, { width: 120 })
    expect(shown).toContain(
      'perhaps changed outside by dana@example.com (192.0.2.8) on 2026-11-18 09:12:00 UTC',
    )
    expect(shown).toContain('event 5dc9…')
    expect(shown).toContain('2 more events about it')
  })
})
