import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { renderApplyEvent } from '../../../reconciler/render/terminal/apply-text.ts'
import { applyText, finished, summaryOf } from './support/apply.ts'
import { dana, paging, reporting, style } from './support/documents.ts'
import { text } from './support/text.ts'

const failed = finished({
  address: 'users.dana',
  status: 'failed',
  error: {
    code: 'DM-ALREADY-EXISTS',
    message: 'users.dana exists already',
    where: 'POST https://opsmgr.example.com/api/public/v1.0/users → 409',
    hint: 'To adopt it, declare its userId and rolesComplete: true.',
  },
})
const lost = finished({
  address: 'maintenanceWindows.weekly[2026-12-06T01:00:00Z]',
  status: 'unknown',
  error: { code: 'DM-UNREACHABLE', message: 'the connection broke while the answer was awaited' },
})
const skipped = finished({ address: 'users.kim', status: 'skipped', notes: ['not begun'] })

describe('an event of an apply', () => {
  it('is a line for each thing that is finished, with what is to be known of it', () => {
    const events = [
      finished({ address: 'maintenanceWindows.migration' }),
      finished({ address: 'alertConfigurations.noisy', action: 'update', notes: ['the answer was late'] }),
      finished({ address: 'integrations.old-chat', action: 'delete' }),
      finished({ address: 'integrations.paging', action: 'blocked', status: 'blocked' }),
      failed,
      lost,
      skipped,
    ]
    expect(events.map((event) => applyText(event)).join('\n')).toBe(text`
  + created   maintenanceWindows.migration
  ~ changed   alertConfigurations.noisy
              the answer was late
  - deleted   integrations.old-chat
  ! blocked   integrations.paging
  ✗ failed    users.dana
              DM-ALREADY-EXISTS: users.dana exists already
  ‽ unknown   maintenanceWindows.weekly[2026-12-06T01:00:00Z]
              DM-UNREACHABLE: the connection broke while the answer was awaited
  · skipped   users.kim
              not begun`)
  })

  it('says nothing when something begins: the live line does', () => {
    const started = { type: 'started', address: 'users.dana', action: 'create', at: '' } as const
    expect(renderApplyEvent({ document: started }, style())).toBeUndefined()
  })
})

const NONE = { done: 0, unsaved: 0, blocked: 0, failed: 0, unknown: 0, skipped: 0, expired: 0 }

describe('the summary of an apply', () => {
  it('is one line when all went well', () => {
    const summary = summaryOf({ done: { create: 1, update: 1, delete: 1 }, unchanged: 9 })
    expect(applyText(summary)).toBe(
      'deploymgmt apply · 1 created, 1 changed, 1 deleted · 9 in sync · 4 requests · 1.25 s',
    )
    expect(applyText(summaryOf())).toBe('deploymgmt apply · nothing to do · 4 requests · 1.25 s')
  })

  it('tells one reason of several failures in full once', () => {
    const error = {
      code: 'DM-STATE-WRITE',
      message: 'cannot write the state',
      where: 'git:origin#state',
      hint: 'Check.',
    }
    const problems = ['users.dana', 'users.kim', 'apiKeys.one'].map((address) =>
      finished({ address, status: 'failed', error }),
    )
    const shown = applyText(summaryOf({ problems, byStatus: { ...NONE, failed: 3 }, exitCode: 1 })) ?? ''
    expect(shown.match(/cannot write the state/gu)).toHaveLength(1)
    expect(shown.match(/Error DM-STATE-WRITE: the same as for users\.dana/gu)).toHaveLength(2)
  })

  it('says what a person has to do, errors in full, and what could not be verified and why', () => {
    const { address, reason, byHand = '' } = paging
    const summary = summaryOf({
      byStatus: { done: 4, unsaved: 0, blocked: 1, failed: 1, unknown: 1, skipped: 1, expired: 0 },
      done: { create: 1, update: 2, delete: 1 },
      blocked: [{ address, reason, byHand }],
      unverifiable: [reporting, dana],
      problems: [lost, failed, skipped],
      unchanged: 9,
      exitCode: 3,
    })
    expect(applyText(summary, { width: 100 })).toBe(text`
deploymgmt apply · 4 requests · 1.25 s

  ! integrations.paging
      declared present, not found; this API has no call to create it.
      By hand: Project payments → Integrations → PAGING, then plan again.

  ✗ users.dana
      Error DM-ALREADY-EXISTS: users.dana exists already
      POST https://opsmgr.example.com/api/public/v1.0/users → 409
      To adopt it, declare its userId and rolesComplete: true.

  · users.kim: skipped, not begun

  ‽ maintenanceWindows.weekly[2026-12-06T01:00:00Z]
      Error DM-UNREACHABLE: the connection broke while the answer was awaited
      It may have taken effect. Look at events (deploymgmt get organization_events --org-id ID) or
      the web interface, then say:
      it is there:      deploymgmt state resolve 'maintenanceWindows.weekly[2026-12-06T01:00:00Z]' --created ID
      it is not there:  deploymgmt state resolve 'maintenanceWindows.weekly[2026-12-06T01:00:00Z]' --not-created

  ? apiKeys.reporting: as recorded on 2026-11-02. No endpoint returns an API key. No event about it
    since.
  ? users.dana: as recorded on 2026-11-03. No endpoint returns a user. No event about it since.

1 created, 2 changed, 1 deleted · 1 blocked · 1 failed · 1 of unknown outcome · 1 skipped
2 not verifiable · 9 in sync · exit code 3`)
  })

  it('says how to go on after an interrupt, if anything was left', () => {
    const problems = [{ ...skipped, notes: ['not sent: the run was interrupted'] }]
    const summary = { done: { create: 3 }, exitCode: 130 }
    const left = summaryOf({ ...summary, problems, byStatus: { ...NONE, done: 3, skipped: 1 } })
    expect(applyText(left, { sameFlags: ' -f ./' })).toContain(
      'the run was interrupted\n\ndeploymgmt apply -f ./ goes on where this one stopped.\n\n3 created · 1 skipped · exit code 130',
    )
    expect(applyText(summaryOf({ ...summary, byStatus: { ...NONE, done: 3 } }))).not.toContain('goes on')
  })

  it('tells once why several are blocked, names each of them, and folds many on a terminal', () => {
    const blocked = Array.from({ length: 560 }, (_, index) => ({
      address: `apiKeys.b${index}`,
      reason: 'one for all',
      byHand: 'Do it by hand.',
    }))
    const folded = applyText(summaryOf({ blocked }), { isTerminal: true, sameFlags: ' -f ./' })
    expect(folded).toMatch(
      /! apiKeys\.b0\n {2}! apiKeys\.b1\n[^]*! apiKeys\.b4\n +one for all\n +Do it by hand\.\n +… 555 more like it, deploymgmt plan -f \.\/ --all shows them\n/,
    )
    expect(folded.match(/apiKeys\.b/g)).toHaveLength(5)
    const whole = applyText(summaryOf({ blocked }))
    expect(whole.match(/apiKeys\.b/g)).toHaveLength(560)
    expect(whole).toMatch(
      /! apiKeys\.b0\n {2}! apiKeys\.b1\n[^]*! apiKeys\.b559\n +one for all\n +Do it by hand\.\n\n/,
    )
    const all = applyText(summaryOf({ blocked }), { isTerminal: true, all: true })
    expect(all.match(/one for all/g)).toHaveLength(560)
  })

  it('tells each failure, each blocked thing and each unknown outcome, however many they are', () => {
    const each = Array.from({ length: 120 }, (_, index) => index)
    const problems = each.flatMap((index) => [
      { ...failed, address: `users.f${index}`, error: { code: 'DM-REQUEST', message: `message ${index}` } },
      { ...lost, address: `maintenanceWindows.u${index}` },
    ])
    const blocked = each.map((index) => ({ address: `apiKeys.b${index}`, reason: `reason ${index}` }))
    const shown = applyText(summaryOf({ problems, blocked }), { isTerminal: true })
    expect(shown.match(/--not-created/g)).toHaveLength(120)
    for (const index of each) {
      expect(shown).toContain(`users.f${index}\n      Error DM-REQUEST: message ${index}\n`)
      expect(shown).toContain(`apiKeys.b${index}\n      reason ${index}\n`)
    }
  })

  it('names each that is done and not recorded, and says what shows those that were not begun', () => {
    const many = Array.from({ length: 20 }, (_, index) => [
      finished({ address: `users.u${index}`, status: 'unsaved' }),
      { ...skipped, address: `users.s${index}` },
    ]).flat()
    const shown = applyText(summaryOf({ problems: many }), { width: 100, sameFlags: ' -f ./' })
    expect(shown.match(/users\.u\d+/g)).toHaveLength(20)
    expect(shown.replaceAll(/\s+/g, ' ')).toMatch(
      /users\.s4: skipped, [^…]*… 15 more like it, deploymgmt plan -f \.\/ --all shows them /,
    )
  })

  it('names the apply to wait for with the flags that mean the same state', () => {
    const problems = [{ ...lost, until: '2026-12-05T02:00:00Z' }]
    const shown = applyText(summaryOf({ problems }), { width: 200, sameFlags: ' -f ./' })
    expect(shown).toContain('It may have taken effect. Run deploymgmt apply -f ./ after')
  })

  it('says of a change that the next apply settles it, and asks nobody whether it was created', () => {
    const shown = applyText(summaryOf({ problems: [{ ...lost, action: 'update', address: 'users.dana' }] }), {
      width: 100,
    })
    expect(shown).toContain(text`
      It may have taken effect. The next apply finds out by itself, or sends it again.
      if it says that it cannot:  deploymgmt state resolve users.dana --again`)
    expect(shown).not.toContain('created')
    expect(shown).not.toContain('Look at')
  })

  it('is the same with and without colour', () => {
    const summary = summaryOf({ problems: [failed, lost, skipped], unverifiable: [dana], exitCode: 3 })
    const coloured = applyText(summary, { color: true })
    expect(stripVTControlCharacters(coloured)).toBe(applyText(summary))
  })
})
