import { settings } from '@deploymgmt/service'
import * as fc from 'fast-check'

/** Values for settings that have a format instead of a list of values. */
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

/** Readings of what the API's description leaves open; half of the histories use only the default ones. */
export const readings: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...choices), { maxLength: 8 }) },
  )
  .map((chosen) => Object.fromEntries(chosen))
