import { describe, expect, it } from 'vitest'
import { renderStateList, renderStateShow } from '../../../reconciler/render/terminal/state-text.ts'
import { ORGANIZATION, style } from './support/documents.ts'
import { text } from './support/text.ts'

describe('the recorded state', () => {
  it('is a list, with the commands that settle what is unknown', () => {
    const rows = [
      { address: 'users.dana', kind: 'user', id: '5d2e1f0a9b8c7d6e5f4a3b2c', status: 'recorded' },
      { address: 'maintenanceWindows.migration', kind: 'maintenance_window', id: null, status: 'unknown' },
    ] as const
    expect(renderStateList({ document: rows, lines: rows }, style())).toBe(text`
users.dana                    5d2e1f0a9b8c7d6e5f4a3b2c
maintenanceWindows.migration  —                         outcome unknown

The next plan or apply looks for evidence first. Where it finds none, look at events
  (deploymgmt get organization_events --org-id ID) or the web interface:

it is there:      deploymgmt state resolve maintenanceWindows.migration --created ID
it is not there:  deploymgmt state resolve maintenanceWindows.migration --not-created

1 recorded · 1 outcome unknown`)
  })

  it('says of a change that the next apply settles it', () => {
    const row = { address: 'apiKeys.reporting', kind: 'api_key', id: 'a', status: 'unknown' } as const
    const shown = renderStateList({ document: [row], lines: [{ ...row, wasCreation: false }] }, style())
    expect(shown).toBe(text`
apiKeys.reporting  a  outcome unknown

apiKeys.reporting: the next apply finds out by itself, or sends it again.

0 recorded · 1 outcome unknown`)
  })

  it('names the apply to wait for with the flags that mean the same state', () => {
    const row = { address: 'users.dana', kind: 'user', id: null, status: 'unknown' } as const
    const lines = [{ ...row, until: '2026-12-05T02:00:00Z' }]
    const shown = renderStateList({ document: [row], lines }, style({ sameFlags: ' -f other.yaml' }))
    expect(shown).toContain('Run deploymgmt apply -f other.yaml after')
  })

  it('asks nothing about what another command may just be sending', () => {
    const rows = [
      { address: 'maintenanceWindows.a', kind: 'maintenance_window', id: 'a', status: 'recorded' },
      { address: 'maintenanceWindows.b', kind: 'maintenance_window', id: null, status: 'unknown' },
    ] as const
    const lines = rows.map((row) => ({ ...row, isUnderWay: row.status === 'unknown' }))
    expect(renderStateList({ document: rows, lines }, style())).toBe(text`
maintenanceWindows.a  a
maintenanceWindows.b  —  under way

1 recorded · 1 under way`)
  })

  it('says that it is empty', () => {
    expect(renderStateList({ document: [], lines: [] }, style())).toBe('Nothing is recorded.')
  })

  it('shows one record: what it is, what was applied, what came back', () => {
    const record = {
      address: 'users.dana',
      kind: 'user',
      identity: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c' },
      applied: { roles: [{ roleName: 'ORG_MEMBER', orgId: ORGANIZATION }], username: 'dana@example.com' },
      answer: { roles: [] },
      adopted: null,
      onRemove: 'forget',
      lastWrite: null,
      watermark: '2026-11-02T08:00:01Z',
    }
    expect(renderStateShow({ document: record }, style())).toBe(text`
users.dana  (user)
  userId             5d2e1f0a9b8c7d6e5f4a3b2c
  onRemove           forget
  last written       never by deploymgmt
  events read up to  2026-11-02 08:00:01 UTC

as last applied
  username  dana@example.com

  roles (1)
    roleName    orgId
    ORG_MEMBER  5980cfdf0b6d97029d82f86e

as last answered
  roles  (empty)`)
  })

  it('claims neither that adoption saw what a first answer showed, nor that a person accepted each event', () => {
    const record = {
      address: 'apiKeys.reporting',
      kind: 'api_key',
      identity: {},
      applied: { desc: 'Reporting pipeline' },
      answer: null,
      adopted: { desc: 'Reporting pipeline' },
      onRemove: 'forget',
      lastWrite: null,
      watermark: '2026-11-02T08:00:01Z',
      acknowledged: ['5dc9f2c8a11b3a0c5f5a1c01'],
    }
    const shown = renderStateShow({ document: record }, style())
    expect(shown).toContain('as first seen\n  desc  Reporting pipeline')
    expect(shown).toMatch(/ events accepted or answered +/)
  })
})
