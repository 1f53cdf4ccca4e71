import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ReportedUnmanaged } from '../../../reconciler/render/document/drift-model.ts'
import { renderDrift } from '../../../reconciler/render/terminal/drift-text.ts'
import { about, driftOf, driftText, HEAD, noisy, resource, style } from './support/documents.ts'
import { longest, text } from './support/text.ts'

const unseen = (address: string) =>
  resource({
    address,
    verdict: 'unverifiable',
    reason: 'No endpoint shows it. No event about it since.',
    evidence: { level: 'recorded', since: '2026-11-02T08:00:00Z' },
  })
const calm = [
  unseen('users.dana'),
  unseen('apiKeys.reporting'),
  ...Array.from({ length: 12 }, (_, index) => resource({ address: `x.${index}`, verdict: 'in-sync' })),
]
const sam = resource({
  address: 'users.sam',
  verdict: 'drifted',
  declaredAt: 'deploymgmt.yaml:20:3',
  evidence: { level: 'suspect' },
  fields: [
    {
      path: 'roles',
      before: ['ORG_MEMBER'],
      after: null,
      note: 'may have been changed outside; no endpoint shows it',
    },
  ],
})

const paging = (projectId: string): ReportedUnmanaged => ({
  kind: 'x',
  section: 'integrations',
  identity: { projectId, type: 'PAGING' },
  what: 'integrates PAGING',
  seenIn: 'list',
})

/** Drifts of one entry, alike. */
const ofOne = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...noisy,
    address: `alertConfigurations.all[${index}]`,
    keep: { text: 'declare it by itself' },
  }))

describe('a drift report', () => {
  it('folds what is accepted alike, though each has an entry of its own', () => {
    const accepted = Array.from({ length: 20 }, (_, index) => ({
      ...noisy,
      address: `alertConfigurations.a${index}`,
      acceptance: { reason: 'too loud', at: `accepted.yaml:${5 + 4 * index}:5` },
    }))
    const shown = driftText(driftOf([], { accepted, exitCode: 0 }))
    expect(shown.match(/^ {2}accepted /gm)).toHaveLength(1)
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(
      'too loud (accepted.yaml:5, accepted.yaml:9, accepted.yaml:13 and 17 more); ',
    )
    expect(shown).toContain('… 15 more like it, --all shows them')
  })

  it('reads as the picture of it', () => {
    expect(driftText(driftOf([noisy, ...calm]), { width: 140 }, { projects: HEAD.projects })).toBe(text`
deploymgmt drift · acme-production at opsmgr.example.com · key ciadmin · organization 5980cfdf0b6d97029d82f86e · 2 projects
  checked 2026-11-20 06:00 UTC

  drifted         alertConfigurations.noisy            enabled false → true
                  by dana@example.com from 198.51.100.4, 2026-11-19 17:40:00 UTC, ALERT_CONFIG_ENABLED_AUDIT
                  undo: deploymgmt apply --target alertConfigurations.noisy     keep: set enabled: true at deploymgmt.yaml:27
  not verifiable  users.dana, apiKeys.reporting: as recorded on 2026-11-02. No endpoint shows it. No
                  event about it since.
  in sync         12

1 drifted, 2 not verifiable, 12 in sync · exit code 2`)
  })

  it('lists what is in sync where all is asked for', () => {
    const doc = driftOf([noisy, ...calm.slice(2, 4)])
    expect(driftText(doc, { width: 140, all: true }, { projects: HEAD.projects })).toContain(text`
  in sync         x.0
                  x.1

1 drifted, 2 in sync`)
  })

  it('shows the whole value that an event tells where there is little room', () => {
    const told = {
      eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT',
      eventId: 'a',
      at: '2026-11-19T17:40:00Z',
    }
    const moved = resource({
      address: 'maintenanceWindows.weekly',
      kind: 'maintenance_window',
      verdict: 'drifted',
      evidence: { level: 'suspect' },
      fields: [
        {
          path: 'endDate',
          before: '2026-11-29T03:00:00Z',
          after: null,
          note: 'no endpoint shows it',
          told: { ...told, value: '2026-11-29T05:00:00Z' },
        },
      ],
    })
    for (const width of [80, 90, 100, 120]) {
      const shown = driftText(driftOf([moved]), { width })
      expect(shown.replaceAll(/\s+/g, ' ')).toContain(
        '(not known; MAINTENANCE_WINDOW_CHANGED_AUDIT says: 2026-11-29 05:00 UTC)',
      )
      expect(longest(shown)).toBeLessThanOrEqual(width)
    }
  })

  it('says how to keep what no endpoint shows: by accepting it', () => {
    expect(driftText(driftOf([sam]), { width: 120 })).toContain(text`
  perhaps drifted users.sam
                  roles            ORG_MEMBER → (not known)  (may have been changed outside; no endpoint shows it)
                  undo: deploymgmt apply --target users.sam     keep: deploymgmt state accept users.sam`)
  })

  it.each([
    [['username'], 'username was accepted, but has changed again since: for now (accepted.yaml:3)'],
    [
      ['roles', 'username'],
      'roles, username were accepted, but have changed again since: for now (accepted.yaml:3)',
    ],
  ])('says what a change made of an acceptance of %s', (fields, said) => {
    const drifted = resource({
      address: 'users.sam',
      verdict: 'drifted',
      fields: ['roles', 'username', 'teams'].map((path) => ({ path, before: 'a', after: 'b' })),
      acceptanceChanged: [{ fields, reason: 'for now', at: 'accepted.yaml:3:3' }],
    })
    expect(driftText(driftOf([drifted]), { width: 140 }).replaceAll(/\s+/g, ' ')).toContain(said)
  })

  it('promises no undo for what is gone', () => {
    const gone = resource({
      address: 'integrations.paging',
      verdict: 'drifted',
      reasonCode: 'gone-at-service',
      reason: 'it is gone at the service',
      declaredAt: 'deploymgmt.yaml:43:3',
    })
    const shown = driftText(driftOf([gone]), { width: 120 })
    expect(shown).toContain('it is gone at the service\n')
    expect(shown).toContain(
      'undo: see deploymgmt plan --target integrations.paging     keep: take it out at deploymgmt.yaml:43',
    )
  })

  it.each([
    [
      'integrations.chat[5c81]',
      'a.yaml:4:3',
      { text: 'take it out at a.yaml:4 where it is named; others are declared there, too' },
    ],
    ['integrations.chat', 'cdk.tf.json:4:3', { text: 'take it out in the program that wrote cdk.tf.json:4' }],
    [
      'integrations.chat',
      undefined,
      {
        command: 'deploymgmt apply --target integrations.chat',
        text: 'it is no longer declared: this drops its record',
      },
    ],
  ])('keeps %s gone, as %s declares it, by declaring and recording it no more', (address, at, keep) => {
    const given = { address, verdict: 'drifted', reasonCode: 'gone-at-service' } as const
    const gone = resource(at === undefined ? given : { ...given, declaredAt: at })
    expect(driftOf([gone]).resources[0]?.keep).toEqual(keep)
    const unread = { ...gone, reasonCode: 'not-found', evidence: { level: 'recorded' } } as const
    expect(driftOf([unread]).resources[0]?.keep?.command).toContain('deploymgmt state forget ')
  })

  it('says of what nothing declares any more that an apply asserts nothing of it', () => {
    const { declaredAt: _, ...undeclared } = noisy
    const shown = driftText(driftOf([undeclared])).replaceAll(/\s+/g, ' ')
    expect(shown).toContain('it is no longer declared: put its entry back first')
    expect(shown).toContain('keep: see deploymgmt plan --target alertConfigurations.noisy')
  })

  it('lists what is declared and not applied yet', () => {
    const pending = ['a', 'b'].map((name) =>
      resource({ address: `users.${name}`, verdict: 'pending', reason: 'declared, not recorded' }),
    )
    expect(driftText(driftOf(pending), {}, { exitCode: 0 })).toBe(text`
deploymgmt drift · acme-production at opsmgr.example.com · key ciadmin
  organization 5980cfdf0b6d97029d82f86e · project payments
  checked 2026-11-20 06:00 UTC

  pending         users.a, users.b: declared, not recorded

2 pending`)
  })

  it('says how many requests are to be settled, and which, though nothing drifted', () => {
    const toBeSettled = ['a', 'b'].map((name) => ({
      address: `maintenanceWindows.${name}`,
      reasonCode: 'can-be-sent-again',
      reason: 'it can be sent again',
    }))
    expect(driftText(driftOf(calm, { toBeSettled }), { width: 120 })).toBe(text`
deploymgmt drift · acme-production at opsmgr.example.com · key ciadmin · organization 5980cfdf0b6d97029d82f86e
  project payments · checked 2026-11-20 06:00 UTC · 2 requests to be settled by apply

  to be settled   maintenanceWindows.a, maintenanceWindows.b: it can be sent again
  not verifiable  users.dana, apiKeys.reporting: as recorded on 2026-11-02. No endpoint shows it. No
                  event about it since.
  in sync         12

2 not verifiable, 12 in sync · 2 requests to be settled by apply · exit code 2`)
  })

  it('says what nobody declares, who made it, and until when it was known', () => {
    const thing = { kind: 'x', seenIn: 'list', what: 'alerts of HOST_DOWN' } as const
    const inProject = { section: 'alertConfigurations', projectId: '5c8100bcf2a30b12ff88258f' }
    const config = (alertConfigId: string): ReportedUnmanaged => ({
      ...thing,
      section: inProject.section,
      identity: { projectId: inProject.projectId, alertConfigId },
    })
    const window: ReportedUnmanaged = {
      kind: 'maintenance_window',
      section: 'maintenanceWindows',
      identity: { projectId: inProject.projectId, id: '6b00f2a4c1d2e3f405162738' },
      what: 'silences HOST from 2026-11-20T00:00:00Z until 2027-11-20T00:00:00Z',
      seenIn: 'events',
      actor: {
        publicKey: 'oncall',
        remoteAddress: '192.0.2.8',
        at: '2026-11-19T23:58:00Z',
        eventId: '5dc9f2c8a11b3a0c5f5a1c01',
        eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
        confidence: 'high',
      },
      isMaker: true,
      ignoredBefore: { reason: 'the move', until: '2026-11-01', at: 'deploymgmt.yaml:9:7' },
    }
    const ignored = { reason: 'theirs', at: 'deploymgmt.yaml:8:7' }
    const { ignoredBefore: _, ...theirs } = window
    const silence = { ...theirs, silences: true as const, ignored: { ...ignored, until: '2027-11-20' } }
    const unmanaged = [config('a1'), config('a2'), window, { ...config('a3'), ignored }, silence]
    const document = driftOf(calm, { unmanaged })
    const summary = { ...document.summary, unmanaged: 3 }
    expect(driftText({ ...document, summary }, { width: 120 })).toBe(text`
deploymgmt drift · acme-production at opsmgr.example.com · key ciadmin · organization 5980cfdf0b6d97029d82f86e
  project payments · checked 2026-11-20 06:00 UTC

  not verifiable  users.dana, apiKeys.reporting: as recorded on 2026-11-02. No endpoint shows it. No
                  event about it since.
  unmanaged       alertConfigurations a1, a2
                  alerts of HOST_DOWN
  unmanaged       maintenanceWindows 6b00f2a4c1d2e3f405162738
                  silences HOST from 2026-11-20 00:00 UTC until 2027-11-20 00:00 UTC
                  known from events only: it may have changed since
                  made by key "oncall" from 192.0.2.8, 2026-11-19 23:58:00 UTC, MAINTENANCE_WINDOW_ADDED_AUDIT
                  known until 2026-11-01, which has passed: the move (deploymgmt.yaml:9)
                  what to do: declare it (deploymgmt adopt writes the entries), or name it in
                  unmanaged.ignore with a reason
  known           maintenanceWindows 6b00f2a4c1d2e3f405162738
                  silences HOST from 2026-11-20 00:00 UTC until 2027-11-20 00:00 UTC
                  known from events only: it may have changed since
                  made by key "oncall" from 192.0.2.8, 2026-11-19 23:58:00 UTC, MAINTENANCE_WINDOW_ADDED_AUDIT
                  known until 2027-11-20: theirs (deploymgmt.yaml:8)
  known           1 more that nobody declares
  in sync         12

2 not verifiable, 3 unmanaged, 12 in sync · exit code 2`)
  })

  it('tells what nobody declares in projects without a name apart by their ids', () => {
    const [first = '', second = ''] = HEAD.projects
    const shown = driftText(
      driftOf([noisy], {
        about: { ...about, projects: [{ id: first }, { id: second, name: 'search' }] },
        unmanaged: [paging(first), paging(second)],
      }),
    )
    expect(shown).toContain(`  unmanaged       integrations PAGING  (${first})\n`)
    expect(shown).toContain('  unmanaged       integrations PAGING  (search)\n')
  })

  it('puts the project below an address that leaves it no room', () => {
    const [first = '', second = ''] = HEAD.projects
    const names = new Map([
      [first, 'payments'],
      [second, 'search'],
    ])
    const address = `alertConfigurations.down[${first}/5d1113b25a115342acc2d0f3]`
    const doc = driftOf([{ ...noisy, address, identity: { projectId: first } }])
    const below = `  drifted         ${address}\n                  (payments)\n`
    expect(driftText(doc, { width: 80, names })).toContain(below)
    expect(driftText(doc, { width: 120, names })).toContain(`${address}  (payments)`)
  })

  it('says what it has read and how long that took, also when nothing drifted', () => {
    for (const drifts of [[noisy], calm]) {
      const document = { ...driftOf(drifts), exitCode: 0 }
      expect(renderDrift({ document, head: { projects: [], seconds: 0.4 } }, style())).toMatch(
        /\d+ requests? · 0\.40 s/,
      )
    }
  })

  it('is short when nothing drifted', () => {
    expect(driftText(driftOf(calm), { width: 120 }, { projects: HEAD.projects, exitCode: 0 })).toBe(text`
deploymgmt drift · no drift · 2 not verifiable, 12 in sync · acme-production at opsmgr.example.com · key ciadmin
  organization 5980cfdf0b6d97029d82f86e · 2 projects · checked 2026-11-20 06:00 UTC
  ? users.dana, apiKeys.reporting: as recorded on 2026-11-02. No endpoint shows it. No event about
    it since.`)
  })

  it('folds many of one kind, and tells what is the same of several once', () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...noisy,
      address: `alertConfigurations.n${index}`,
    }))
    const shown = driftText(driftOf(many))
    const few = [0, 1, 2, 3, 4].map((index) => ` --target alertConfigurations.n${index}`).join('')
    expect(shown.match(/ (?:undo|keep|by) .*/g)).toEqual([
      expect.stringContaining(' by dana@example.com'),
      ` undo these 5: deploymgmt apply${few}`,
      ' keep these 5: set enabled: true at deploymgmt.yaml:27',
    ])
    expect(shown).toContain('… 995 more like it, --all shows them')
    const all = driftText(driftOf(many), { all: true })
    expect(all.match(/undo these 8: .*/g)).toHaveLength(125)
    expect(new Set(all.match(/--target alertConfigurations\.n\d+/g))).toHaveLength(1000)
  })

  describe('of many things of one entry', () => {
    const undoAll = ' undo all 1,000: deploymgmt apply --target alertConfigurations.all\n'

    it('offers the apply of the entry, which undoes all of them', () => {
      expect(driftText(driftOf(ofOne(1000)))).toContain(undoAll)
      expect(driftText(driftOf(ofOne(1000)), { all: true })).toContain(undoAll)
      expect(driftText(driftOf(ofOne(5)))).not.toContain('undo all')
    })

    it.each([
      ['something else of it has drifted', [{ reason: 'another' }], {}],
      ['an edit of it waits for an apply', [{ verdict: 'pending' as const }], {}],
      ['another entry has such drift, too', [{ address: 'alertConfigurations.other' }], {}],
      ['the report is of a target', [], { targeted: ['alertConfigurations.all*'] }],
      [
        'drift of it is accepted',
        [],
        {
          accepted: [
            { ...noisy, address: 'alertConfigurations.all[a]', acceptance: { reason: 'x', at: 'y' } },
          ],
        },
      ],
    ])('does not offer it where %s', (_, others, given) => {
      const all = [
        ...ofOne(1000),
        ...others.map((each) => ({ ...noisy, address: 'alertConfigurations.all[a]', ...each })),
      ]
      expect(driftText(driftOf(all, given))).not.toContain('undo all')
    })
  })

  it('says of each who made it and when, unless that is the same of all', () => {
    const by = noisy.actor!
    const many = [0, 1, 1, 1, 1].map((minute, index) => ({
      ...noisy,
      address: `alertConfigurations.n${index}`,
      actor: { ...by, at: `2026-11-19T17:4${minute}:00Z` },
    }))
    const told = (drifts: typeof many) => driftText(driftOf(drifts)).match(/ by dana.* (17:\d\d)/g)?.length
    expect([told(many), told(many.slice(1))]).toEqual([5, 1])
  })

  it.each([60, 80, 120])('fits %i columns, the same with and without colour', (width) => {
    const doc = driftOf([noisy, sam, ...calm], {
      warnings: ['some events were left unread, 20 pages are the most'],
    })
    const plain = driftText(doc, { width }, { projects: HEAD.projects })
    expect(
      stripVTControlCharacters(driftText(doc, { width, color: true }, { projects: HEAD.projects })),
    ).toBe(plain)
    // Lines to copy are not wrapped.
    const prose = plain.split('\n').filter((line) => !/undo:|keep:/.test(line))
    expect(longest(prose.join('\n'))).toBeLessThanOrEqual(Math.max(width, 62))
  })
})
