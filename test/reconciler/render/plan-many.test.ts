import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  change,
  dana,
  hostDown,
  inSync,
  migration,
  oldChat,
  paging,
  planOf,
  planText,
  PROJECT,
  reporting,
} from './support/documents.ts'
import { planAs } from './support/faces.ts'
import { longest, text } from './support/text.ts'

const turnedOn = (address: string, second: number) =>
  change({
    address,
    kind: 'alert_configuration',
    what: 'HOST_DOWN',
    declaredAt: 'deploymgmt.yaml:26:3',
    action: 'update',
    reasonCode: 'live-differs',
    reason: 'live differs',
    fields: [{ path: 'enabled', before: false, after: true }],
    requests: [{ method: 'PATCH', path: '/x' }],
    actor: {
      confidence: 'high',
      publicKey: 'oncall',
      remoteAddress: '192.0.2.8',
      at: `2026-11-18T09:12:0${second}Z`,
      eventId: `5dc9f00000000000000000${second}0`,
      eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT',
    },
  })
const instance = (index: number) => `alertConfigurations.down[5d1113b25a115342acc2d0f${index}]`

describe('many changes', () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ...migration,
    address: `maintenanceWindows.w${index}`,
    needs: index > 997 ? [{ flag: '--allow-delete', because: 'x' }] : [],
  }))

  it('that do the same are said once, with every address, and what needs a flag by itself', () => {
    const shown = planText(planOf(many))
    expect(shown).toMatch(/^ {2}\+ 998 maintenanceWindows to create {2,}deploymgmt\.yaml:31$/m)
    expect(shown.match(/startDate/g)).toHaveLength(3)
    expect(new Set(shown.match(/maintenanceWindows\.w\d+/g))).toHaveLength(1000)
    expect(shown).not.toContain('more like it')
    expect(shown).toMatch(/\+ maintenanceWindows\.w999.*(\n {6}.*)+needs --allow-delete: x/)
    expect(shown.endsWith('1,000 to create')).toBe(true)
  })

  it('that differ in their zones, or in how long they are, are told apart', () => {
    const zoned = many.slice(0, 20).map((each, index) => ({
      ...each,
      ...(index < 10 ? { zones: { startDate: 'Europe/Madrid' } } : {}),
    }))
    expect(planText(planOf(zoned)).match(/Europe\/Madrid/g)).toHaveLength(1)
    expect(planText(planOf(zoned)).match(/10 maintenanceWindows to create/g)).toHaveLength(2)
    const lasting = many.slice(0, 20).map((each, index) => ({
      ...each,
      after: { startDate: index < 10 ? '2026-12-05T02:00:00Z' : '2026-12-05T03:00:00Z' },
    }))
    expect(planText(planOf(lasting)).match(/\(2 h\)|\(1 h\)/g)).toEqual(['(2 h)', '(1 h)'])
  })

  it('that change nothing are folded, apart from those that change something', () => {
    const adopted = Array.from({ length: 20 }, (_, index) =>
      change({
        address: `alertConfigurations.p${index}`,
        action: 'adopt',
        reason: 'the live values are as declared',
        ...(index === 17
          ? {
              fields: [{ path: 'enabled', before: false, after: true }],
              requests: [{ method: 'PATCH', path: '/x' }],
            }
          : {}),
      }),
    )
    const shown = planText(planOf(adopted))
    expect(shown).toMatch(/> alertConfigurations\.p17\n +enabled +false → true/)
    expect(shown).toContain('… 14 more like it, --all shows them')
    expect(shown.endsWith('19 to adopt, 1 to adopt and change')).toBe(true)
  })

  it('of several projects are counted by project', () => {
    const names = new Map([
      [PROJECT, 'payments'],
      ['5c8100bcf2a30b12ff882590', 'search'],
    ])
    const off = Array.from({ length: 9 }, (_, index) =>
      change({
        address: `alertConfigurations.p${index}`,
        kind: 'alert_configuration',
        action: 'update',
        reasonCode: 'declared-differs',
        reason: 'declared differs',
        after: { projectId: [...names.keys()][index % 3 === 0 ? 1 : 0] },
        fields: [{ path: 'enabled', before: true, after: false }],
        requests: [{ method: 'PATCH', path: '/x' }],
      }),
    )
    expect(planText(planOf(off), { names })).toContain(text`
  ~ 9 alert configurations to change · search 3, payments 6
      enabled          true → false
      alertConfigurations.p0, alertConfigurations.p1, alertConfigurations.p2,`)
    // A count stays on the line of its project.
    for (const width of [36, 37, 38, 39, 40, 41, 42])
      expect(
        planText(planOf(off), {
          names: new Map([...names].map(([id, name]) => [id, name.padEnd(width, '-')])),
        }),
      ).not.toMatch(/^ {3,}\d/m)
  })

  it('of one entry are told as one however few, with who made the difference, and between when', () => {
    const shown = planText(planOf([1, 2, 3].map((each) => turnedOn(instance(each), each))))
    expect(shown).toContain(`
  ~ 3 alert configurations to change                               deploymgmt.yaml:26
      HOST_DOWN
      enabled          false → true
      changed outside by key "oncall" (192.0.2.8) between 2026-11-18 09:12:01 UTC and
        2026-11-18 09:12:03 UTC
      ${instance(1)},
      ${instance(2)},
      ${instance(3)}
`)
  })

  it('of several entries are told as one where they are many, even if each was changed at another time', () => {
    const addresses = Array.from({ length: 10 }, (_, index) => `alertConfigurations.p${index}`)
    const shown = (count: number) =>
      planText(planOf(addresses.slice(0, count).map((address, index) => turnedOn(address, index))))
    expect(shown(8).match(/outside by key "oncall" \(192\.0\.2\.8\) on/g)).toHaveLength(8)
    expect(shown(10)).toContain(
      'changed outside by key "oncall" (192.0.2.8) between 2026-11-18 09:12:00 UTC and\n        2026-11-18 09:12:09 UTC\n',
    )
  })

  it('that rename one schedule are told as one, with the old entry', async () => {
    const renamed = Array.from({ length: 12 }, (_, index) => {
      const [startDate, endDate] = [2, 4].map((hour) => `2035-01-${String(index + 10)}T0${hour}:00:00Z`)
      const values = { projectId: PROJECT, startDate, endDate, alertTypeNames: ['HOST'] }
      return change({
        address: `maintenanceWindows.nightly[${startDate}]`,
        kind: 'maintenance_window',
        action: 'moved',
        from: `maintenanceWindows.backups[${startDate}]`,
        reasonCode: 'moved',
        reason: `was maintenanceWindows.backups[${startDate}]`,
        before: values,
        after: values,
      })
    })
    const plan = planOf(renamed)
    for (const shown of [planText(plan), await planAs('markdown', plan)]) {
      expect(shown).toContain('12 maintenance windows to rename')
      expect(shown).toMatch(/was maintenanceWindows\.backups\n/)
    }
    const page = await planAs('html', plan)
    expect(page.match(/<details/g)).toHaveLength(1)
    expect(page).toContain('12 occurrences')
    expect(page).not.toContain('Was maintenanceWindows.backups[')
  })

  it('are all there with --all', () => {
    const shown = planText(planOf(many), { all: true })
    expect(shown.match(/^ {2}\+ /gm)).toHaveLength(1000)
    expect(shown).not.toContain('more like it')
  })

  it('are folded only where they are alike', () => {
    const some = [
      ...many.slice(0, 8),
      ...Array.from({ length: 8 }, (_, i) => ({ ...dana, address: `users.${i}` })),
    ]
    expect(planText(planOf(some))).not.toContain('more like it')
  })

  it('of which the same is to be said say it once', () => {
    const released = ['a', 'b'].map((name) =>
      change({ address: `apiKeys.${name}`, action: 'release', reason: 'no longer declared; forgotten' }),
    )
    expect(planText(planOf(released))).toContain(
      '  < apiKeys.a\n  < apiKeys.b\n      no longer declared; forgotten\n',
    )
  })
})

describe('the look of a plan', () => {
  const all = [reporting, dana, hostDown, migration, paging, oldChat, inSync('alertConfigurations.cpu')]

  it.each([60, 80, 120])('fits %i columns', (width) => {
    const breakable = all.filter((each) => each !== hostDown)
    const shown = planText(planOf(breakable), { width, all: true })
    expect(longest(shown.split('\n').slice(1).join('\n'))).toBeLessThanOrEqual(width)
  })

  it.each([60, 80, 120])('is the same with and without colour at %i columns', (width) => {
    const plain = planText(planOf(all), { width })
    const coloured = planText(planOf(all), { width, color: true })
    expect(coloured).not.toBe(plain)
    expect(stripVTControlCharacters(coloured)).toBe(plain)
  })

  it('gives each action a mark of its own', () => {
    const actions = ['create', 'adopt', 'update', 'delete', 'release', 'moved', 'blocked', 'expired'] as const
    const doc = planOf([...actions.map((action) => change({ address: `x.${action}`, action })), dana])
    const marks = [...planText(doc).matchAll(/^ {2}(\S) (?:x\.|users)/gm)].map(([, mark]) => mark)
    expect(new Set(marks).size).toBe(9)
  })
})
