import { kinds } from '@deploymgmt/provider/kinds'
import { afterEach, expect, it } from 'vitest'

const { TZ } = process.env

afterEach(() => {
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
})

/** What a selector of everything made before 3 March makes of a configuration that was made at `created`. */
const madeAt = (created: string): string[] => {
  const kind = kinds.find(({ section }) => section === 'alertConfigurations')
  const instances = kind?.expand.instances({
    values: { select: { createdBefore: '2026-03-03T00:00:00Z' } },
    live: [{ alertConfigId: 'a', created }],
    recorded: [],
    now: new Date(0),
  })
  return (instances ?? []).map(({ is }) => is)
}

it.each(['America/New_York', 'Asia/Tokyo'])(
  'a selector takes a date of the service without a zone for UTC, also in %s',
  (zone) => {
    process.env['TZ'] = zone
    expect(madeAt('2026-03-02T23:59:59')).toEqual(['instance'])
    expect(madeAt('2026-03-03T00:00:00')).toEqual(['unmatched'])
  },
)
