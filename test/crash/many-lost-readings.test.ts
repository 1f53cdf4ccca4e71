import { settings } from '@deploymgmt/service'
import { describe, expect, it } from 'vitest'
import { shareOf, soakKills } from '../support/soak.ts'
import { killUntilDone, MANY, tellOf } from './support/many.ts'

/** All values of the service's settings, except the defaults. */
const OTHERS = settings
  .filter(({ name }) => name.startsWith('open.'))
  .flatMap(({ name, values, default: usual }) =>
    values
      .map((value) => ({ DURATION: 'PT45S', NUMBER: '100' })[value] ?? value)
      .filter((value) => value !== usual)
      .map((value) => ({ name, value })),
  )

/** `many-lost.test.ts` covers the defaults. */
describe.skipIf(soakKills === undefined)(
  'an apply that is killed with ten writes in flight under another reading',
  () => {
    it.each(shareOf(OTHERS))(
      'loses, doubles and mixes up nothing ($name = $value)',
      async ({ name, value }) => {
        const figures = await killUntilDone(1, { ...MANY, settings: { [name]: value } })
        const row =
          figures.forPerson === 0 ? 'each of the other values of a reading' : `\`${name}\` = \`${value}\``
        tellOf(row, figures)
        expect(figures.kills).toBeGreaterThan(0)
      },
    )
  },
)
