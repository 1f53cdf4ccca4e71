import { kinds } from '@deploymgmt/provider/kinds'
import { expect, it, onTestFinished, vi } from 'vitest'

it.each(['America/New_York', 'Asia/Tokyo'])(
  'a window whose dates the service answers without a zone is ended by them in UTC, also in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    const end = kinds.find(({ kind }) => kind === 'maintenance_window')?.release['end']
    const bodyAt = (now: string): unknown =>
      end?.way === 'send'
        ? end.body(
            { applied: { startDate: '2026-03-02T10:00:00', endDate: '2026-03-02T12:00:00' } } as never,
            new Date(now),
          )
        : 'no write'
    // It runs: only its end moves. It has not begun: both do. It is over: nothing is written.
    expect(bodyAt('2026-03-02T11:00:00Z')).toEqual({ endDate: expect.stringMatching(/^2026-03-02T11:0/) })
    expect(bodyAt('2026-03-02T09:00:00Z')).toMatchObject({
      startDate: expect.stringMatching(/^2026-03-02T09:0/),
    })
    expect(bodyAt('2026-03-02T12:00:00Z')).toBeUndefined()
  },
)
