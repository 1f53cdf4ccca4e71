import { settings } from '@deploymgmt/service'
import * as fc from 'fast-check'

/** Values for settings that take a form instead of one of a list. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'open.nonceLifetime': ['PT10S'],
  'open.eventDelay': ['PT3S', 'PT20M'],
  // A limit would end each history at the same request.
  'open.rateLimit': [],
}

const choices = settings
  .filter(({ name }) => name.startsWith('open.') || name === 'service.user.bypassInviteForExistingUsers')
  .flatMap(({ name, values, default: usual }) =>
    (FORMS[name] ?? values.filter((value) => value !== usual)).map((value) => [name, value] as const),
  )

/** Some of what the description of the API leaves open, read otherwise than by default. */
export const readings: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...choices), { maxLength: 8 }) },
  )
  .map((chosen) => Object.fromEntries(chosen))
