import { parseInstant } from '@deploymgmt/provider/core'
import { expect, it, onTestFinished, vi } from 'vitest'

it.each([
  '2026-03-02T10:00:00',
  '2026-03-02t10:00:00',
  '2026-03-02 10:00:00.000',
  '2026-03-02T10:00',
  '2026-03-02T10:00:00Z',
  '2026-03-02T11:00:00+01:00',
  'Mon, 02 Mar 2026 10:00:00 GMT',
])(
  'an instant of an answer is in UTC where it names no zone, whatever the zone of this machine: %s',
  (text) => {
    vi.stubEnv('TZ', 'America/New_York')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(parseInstant(text)).toBe(Date.UTC(2026, 2, 2, 10))
  },
)
