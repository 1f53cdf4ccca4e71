import { describe, expect, it } from 'vitest'
import type { DriftDocument } from '../../../reconciler/render/document/drift-model.ts'
import { driftOf, noisy, resource } from './support/documents.ts'
import { driftAs, full, suspect } from './support/faces.ts'
import { text } from './support/text.ts'

/** In one line, however it was wrapped. */
const inText = async (given: DriftDocument): Promise<string> =>
  (await driftAs('text', given)).replaceAll(/\s+/g, ' ')

describe('a drift report in brief', () => {
  it('is four lines: the verdict and where, the worst with who and when, and what to run', async () => {
    expect(await driftAs('brief', full, { sameFlags: ' -f other.yaml' })).toBe(text`
Drift: 3 things are not as last applied, 1 may not be, 1 declared thing is late, 1 request is to be settled by apply, 1 thing is unmanaged · acme-production at opsmgr.example.com · 2026-11-20 06:00 UTC
integrations.paging: it is gone at the service
alertConfigurations.noisy: enabled: false → true, by dana@example.com from 198.51.100.4, 2026-11-19 17:40:00 UTC
5 more. Who, when, and how to undo or keep each drift: deploymgmt drift -f other.yaml`)
  })

  it('has silences that nobody declares first, then what is gone, then other silences, and counts the silences that it has no room for', async () => {
    const gone = resource({
      address: 'integrations.paging',
      verdict: 'drifted',
      reasonCode: 'gone-at-service',
      reason: 'it is gone at the service',
    })
    const silence = {
      ...suspect,
      address: 'maintenanceWindows.weekly',
      kind: 'maintenance_window',
      silences: true as const,
    }
    const stranger = (full.unmanaged ?? []).slice(0, 1).map((each) => ({ ...each, silences: true as const }))
    const doc = { ...driftOf([noisy, suspect, silence, gone]), unmanaged: stranger }
    const [, first, second, rest] = (await driftAs('brief', doc)).split('\n')
    expect(first).toMatch(/^unmanaged maintenanceWindows \(/)
    expect(second).toMatch(/^integrations\.paging/)
    expect(rest).toMatch(/^3 more, 1 of them about silences\. Who/)
    const lines = await driftAs('text', doc)
    const order = [
      'unmanaged  ',
      'integrations.paging',
      'maintenanceWindows.weekly',
      'alertConfigurations.noisy',
      'users.sam',
    ]
    const found = order.map((each) => lines.indexOf(each))
    expect(found).not.toContain(-1)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
    const markdown = (await driftAs('markdown', doc)).split('\n')
    const named = ['unmanaged|unmanaged', 'paging', 'weekly', 'noisy', 'users\\.sam']
    const places = named.map((each) =>
      markdown.findIndex((row) => row.startsWith('| **1 ') && new RegExp(each).test(row)),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const page = await driftAs('html', doc)
    const rows = [
      ...page.matchAll(
        /<span class="badge (?:bad|warn)"><span aria-hidden="true">.<\/span> ([\w ]+)<\/span>/g,
      ),
    ]
    expect(rows.map(([, label]) => label)).toEqual(['gone', 'perhaps drifted', 'drifted', 'perhaps drifted'])
  })

  it('says of what is accepted what it is, why, and who made it, in text and Markdown', async () => {
    const accepted = {
      ...noisy,
      acceptance: { reason: 'too loud', until: '2026-12-31T00:00:00Z', at: 'accepted.yaml:8:5' },
    }
    const doc = driftOf([], { accepted: [accepted], exitCode: 0 })
    expect(await inText(doc)).toContain(
      'alertConfigurations.noisy (enabled true): too loud (accepted.yaml:8), until 2026-12-31 00:00 UTC; by dana@example.com from 198.51.100.4, 2026-11-19 17:40:00 UTC, ALERT_CONFIG_ENABLED_AUDIT',
    )
    expect(await driftAs('markdown', doc)).toMatch(
      /^- `alertConfigurations.noisy` · enabled `false` → `true` · accepted until 2026-12-31 00:00 UTC: too loud .* · by dana.*, 2026-11-19 17:40:00 UTC, .*AUDIT$/m,
    )
    const two = [accepted, { ...accepted, address: 'alertConfigurations.b' }]
    expect(await inText(driftOf([], { accepted: two, exitCode: 0 }))).toContain(
      'alertConfigurations.noisy (enabled true), alertConfigurations.b (enabled true): too loud (accepted.yaml:8), until 2026-12-31 00:00 UTC; by dana@example.com from 198.51.100.4 2 accepted',
    )
  })

  it('shows in the row of the page itself that something is no longer accepted', async () => {
    const page = await driftAs('html', full)
    const end = page.indexOf('Details of alertConfigurations.lag')
    const row = page.slice(page.lastIndexOf('<tr', end), end)
    expect(row).toContain('no longer accepted')
    expect(page.match(/>no longer accepted</g)).toHaveLength(1)
  })

  it.each(['text', 'brief', 'markdown', 'html', 'junit', 'sarif'])(
    'shows the times of what nobody declares as all others, as %s',
    async (format) => {
      const what = 'silences HOST until 2027-11-20T02:00:00Z'
      const unmanaged = (full.unmanaged ?? []).map((each) => ({ ...each, what }))
      const shown = await driftAs(format, driftOf([noisy], { unmanaged }))
      expect(shown).toContain('silences HOST until 2027-11-20 02:00 UTC')
      expect(shown).not.toContain('2027-11-20T02')
    },
  )

  it('does not say that something drifted where an event alone tells of it, in any face', async () => {
    const doc = driftOf([suspect])
    expect(await driftAs('brief', doc)).toMatch(/^Drift: 1 thing may have been changed · /)
    expect(await driftAs('markdown', doc)).toMatch(/^### Drift: 1 thing may have been changed\n/)
    const shown = await driftAs('text', doc)
    expect(shown).toContain('  perhaps drifted users.sam')
    expect(shown).toContain('\n1 perhaps drifted · exit code 2')
    const page = await driftAs('html', doc)
    expect(page).toContain('<title>1 thing may have been changed · acme-production</title>')
    expect(page).toContain('</span> perhaps drifted</span>')
    const seen = { ...suspect, fields: [{ path: 'endDate', before: 'a', after: 'b' }] }
    expect(await driftAs('brief', driftOf([seen]))).toMatch(/^Drift: 1 thing is not as last applied · /)
  })

  it('says what was warned of where it has found nothing, in one line', async () => {
    const doc = driftOf([])
    expect(await driftAs('brief', doc)).toMatch(/^No drift[^\n]*$/)
    const warnings = ['its events cannot be read (403)', 'the clocks differ']
    const [first] = warnings
    expect(await driftAs('brief', { ...doc, warnings: [first ?? ''] })).toMatch(
      /^No drift.*\n1 warning: its events cannot be read \(403\)$/,
    )
    expect(await driftAs('brief', { ...doc, warnings })).toMatch(
      /^No drift.*\n2 warnings, the first: its events cannot be read \(403\)$/,
    )
  })

  it.each([
    [
      'a parenthesis',
      `the service does not know it, and nothing shows why that is so (${'its events cannot be read '.repeat(9)}).`,
      'the service does not know it, and nothing shows why that is so…',
    ],
    ['a word', `somebody has${' changed'.repeat(20)}`, `somebody has${' changed'.repeat(13)}…`],
    [
      'a sentence',
      `no endpoint returns a maintenance window, so nothing can be said of it. Look at it, and ${'again '.repeat(9)}`,
      'no endpoint returns a maintenance window, so nothing can be said of it. …',
    ],
  ])('cuts what has no room behind %s', async (_, reason, said) => {
    const drift = resource({ address: 'maintenanceWindows.a', verdict: 'drifted', reason })
    expect((await driftAs('brief', driftOf([drift]))).split('\n')[1]).toBe(`maintenanceWindows.a: ${said}`)
  })

  it('says many that are alike in one line', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({
      ...noisy,
      address: `alertConfigurations.p${index}`,
    }))
    expect(await driftAs('brief', driftOf([suspect, ...many]))).toBe(text`
Drift: 1,200 things are not as last applied, 1 may not be · acme-production at opsmgr.example.com · 2026-11-20 06:00 UTC
alertConfigurations.p0 and 1,199 more like it: enabled: false → true, by dana@example.com from 198.51.100.4, 2026-11-19 17:40:00 UTC
users.sam: roles: ORG_MEMBER orgId 5980cfdf0b6d97029d82f86e → (not known) (may have been changed outside; no endpoint shows it)
Who, when, and how to undo or keep each drift: deploymgmt drift`)
  })

  it('is one line where there is nothing to do', async () => {
    const calm = driftOf([resource({ address: 'x.1', verdict: 'in-sync' })], { exitCode: 0 })
    expect(await driftAs('brief', calm)).toBe(
      'No drift: 1 in sync · acme-production at opsmgr.example.com · 2026-11-20 06:00 UTC',
    )
  })

  it('says that not all is well where the exit code does, and nothing has drifted', async () => {
    const unverifiable = resource({ address: 'x.1', verdict: 'unverifiable' })
    expect(await driftAs('brief', driftOf([unverifiable]))).toMatch(
      /^No drift, but something needs attention \(exit code 2\): 1 not verifiable, 0 in sync · /,
    )
  })

  it('names an unmanaged alert configuration with both of its ids whole', async () => {
    const identity = { projectId: '5c8100bcf2a30b12ff88258f', alertConfigId: '5d1113b25a115342acc2d1aa' }
    const unmanaged = (full.unmanaged ?? []).map((each) => ({
      ...each,
      kind: 'alert_configuration',
      section: 'alertConfigurations',
      identity,
    }))
    expect(await driftAs('brief', driftOf([], { unmanaged }))).toMatch(
      /\nunmanaged alertConfigurations \(project payments 5c8100bcf2a30b12ff88258f, alertConfigId 5d1113b25a115342acc2d1aa\): /,
    )
  })

  it('tells what nobody declares apart where that does not count', async () => {
    const doc = { ...driftOf([], { exitCode: 0 }), unmanaged: full.unmanaged ?? [] }
    expect(await driftAs('brief', doc)).toMatch(
      /^No drift: 1 thing is unmanaged, 0 in sync · .*\nunmanaged maintenanceWindows \(project payments 5c81/,
    )
  })

  it.each(['x'.repeat(100_000), 'a b\n'.repeat(25_000)])(
    'stays four short lines whatever it is told',
    async (long) => {
      const actor = {
        username: long,
        at: long,
        eventId: long,
        eventTypeName: long,
        confidence: 'high',
      } as const
      const one = resource({
        address: long,
        verdict: 'drifted',
        actor,
        fields: [{ path: long, before: long, after: [long] }],
      })
      const shown = await driftAs(
        'brief',
        driftOf([one, { ...one, address: `${long}b`, fields: [] }, suspect]),
      )
      const lines = shown.split('\n')
      expect(lines).toHaveLength(4)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(300)
    },
  )
})
