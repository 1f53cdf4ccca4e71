import { assert, asyncProperty, record, array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driftOf, noisy, PROJECT, resource } from './support/documents.ts'
import { driftAs, full } from './support/faces.ts'
import { reportsWith } from './support/specimens.ts'
import { anyText } from '../../support/any-text.ts'
import { OBEYED } from '../../support/obeyed.ts'
import { runs } from '../../support/soak.ts'
import { errorsOf, testCases } from './support/xml.ts'

describe('a drift report as JUnit', () => {
  it('has a case for each address, with what it comes to', async () => {
    const shown = await driftAs('junit', full)
    expect(testCases(shown).map(({ name, result, type }) => [name, type ?? result ?? 'passed'])).toEqual([
      ['integrations.paging', 'not-found'],
      ['alertConfigurations.noisy', 'drifted'],
      ['alertConfigurations.lag', 'acceptance-ended'],
      ['users.sam', 'event-since'],
      ['maintenanceWindows.patching[2026-11-20]', 'pending-late'],
      ['maintenanceWindows.lost', 'to-be-settled'],
      [
        'maintenanceWindows (project payments 5c8100bcf2a30b12ff88258f, id 6b00c3f15d1113b25a115342)',
        'unmanaged',
      ],
      ['alertConfigurations.disk', 'skipped'],
      [
        'maintenanceWindows (project payments 5c8100bcf2a30b12ff88258f, id 6b00c3f15d1113b25a115343)',
        'skipped',
      ],
      ['maintenanceWindows.later', 'skipped'],
      ['apiKeys.reporting', 'skipped'],
      ['integrations.chat', 'passed'],
    ])
    expect(shown).toContain('tests="12" failures="7" errors="0" skipped="4"')
    // What is in sync or not verifiable is found in its file, too.
    for (const name of ['apiKeys.reporting', 'integrations.chat'])
      expect(testCases(shown).find((each) => each.name === name)?.file).toBe('deploymgmt.yaml')
    expect(await errorsOf(shown)).toEqual([])
  })

  it('says who, when, where it is declared, and both ways out', async () => {
    const [gone, first] = testCases(await driftAs('junit', full))
    expect(first).toMatchObject({
      classname: 'acme-production.alertConfigurations',
      file: 'deploymgmt.yaml',
      message:
        'enabled: false → true; by dana@example.com from 198.51.100.4, 2026-11-19 17:40:00 UTC, ALERT_CONFIG_ENABLED_AUDIT',
    })
    expect(first?.text).toContain('declared at deploymgmt.yaml:27')
    expect(first?.text).toContain('undo: deploymgmt apply --target alertConfigurations.noisy')
    expect(first?.text).toContain('\n-    enabled: false\n+    enabled: true')
    expect(gone?.text).toContain(
      'put its entry back first. By hand: Project payments → Integrations → PAGING',
    )
  })

  it('says why a case was skipped', async () => {
    const messages = new Map(
      testCases(await driftAs('junit', full)).map(({ name, message }) => [name, message]),
    )
    expect(messages.get('apiKeys.reporting')).toBe(
      'not verifiable: as recorded on 2026-11-02. No endpoint shows it. No event about it since.',
    )
    expect(messages.get('alertConfigurations.disk')).toContain(
      'accepted until 2026-12-31: the disk is replaced in December (deploymgmt.accepted.yaml:8:5)',
    )
    expect(messages.get('maintenanceWindows.later')).toBe('pending: declared, not recorded')
  })

  it('skips what nobody declares where that does not count, and says what is known of it', async () => {
    const cases = testCases(await driftAs('junit', { ...full, unmanagedCounts: false }))
    expect(cases.map(({ type }) => type)).not.toContain('unmanaged')
    const skipped = cases.find(({ name }) => name.includes('6b00c3f15d1113b25a115342'))
    expect(skipped).toMatchObject({
      result: 'skipped',
      message: expect.stringMatching(
        /^turns off HOST .*; nobody declares it \(known from events only: it may have changed since\); made by sam@example.com/,
      ),
    })
  })

  it('says the name of a project beside its id', async () => {
    const doc = driftOf([{ ...noisy, fields: [{ path: 'projectId', before: null, after: PROJECT }] }])
    expect(testCases(await driftAs('junit', doc))[0]?.message).toContain(`payments (${PROJECT})`)
  })

  it('says which addresses alone were looked at', async () => {
    const shown = await driftAs('junit', driftOf([], { targeted: ['users.*', 'apiKeys.a'] }))
    expect(shown).toContain('<property name="targeted" value="users.*, apiKeys.a"/>')
  })

  it('has one case where several things are to be said of one address', async () => {
    const doc = driftOf([noisy], {
      toBeSettled: [{ address: noisy.address, reasonCode: 'x', reason: 'its answer was lost' }],
    })
    const [only, ...others] = testCases(await driftAs('junit', doc))
    expect(others).toEqual([])
    expect(only?.text).toContain('its answer was lost')
    expect(only?.text).toContain('enabled: false → true')
  })

  it('has one case where fields of one address are accepted each by itself', async () => {
    const acceptance = { reason: 'one', at: 'deploymgmt.accepted.yaml:1:1' }
    const doc = driftOf([], {
      accepted: [
        { ...noisy, acceptance },
        { ...noisy, acceptance: { ...acceptance, reason: 'two' } },
      ],
    })
    const cases = testCases(await driftAs('junit', doc))
    expect(cases).toMatchObject([{ result: 'skipped' }])
    expect(cases[0]?.message).toMatch(/accepted: one .*accepted: two /)
  })

  it('tells long names apart that begin alike', async () => {
    const long = 'x'.repeat(100_000)
    const names = testCases(
      await driftAs(
        'junit',
        driftOf(['a', 'b'].map((end) => resource({ address: `x.${long}${end}`, verdict: 'in-sync' }))),
      ),
    ).map(({ name }) => name)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name.length).toBeLessThanOrEqual(200)
  })

  it('is well-formed and valid whatever the strings are', async () => {
    const texts = array(anyText({ maxLength: 40 }), { minLength: 20, maxLength: 20 })
    await assert(
      asyncProperty(record({ texts }), async ({ texts: all }) => {
        const specimens = all.flatMap((text) => reportsWith(text).drift.map(({ document }) => document))
        const shown = await Promise.all(specimens.map(async (document) => driftAs('junit', document)))
        expect(await errorsOf(...shown)).toEqual([])
        for (const each of shown) expect(each).not.toMatch(OBEYED)
      }),
      { numRuns: runs(5) },
    )
  })
})
