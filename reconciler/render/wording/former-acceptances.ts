import type { FormerAcceptance, ReportedDrift } from '../document/drift-model.ts'

type Drifted = Pick<ReportedDrift, 'fields'>

/** The fields that it covered, if others have drifted too: `roles was`. */
export const partWas = (drift: Drifted, { fields = [] }: FormerAcceptance): string | undefined =>
  fields.length === 0 || fields.length === drift.fields.length
    ? undefined
    : `${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'}`

/** The same in a sentence: `it was` if it covered all of them. */
export const wasOf = (drift: Drifted, acceptance: FormerAcceptance): string =>
  partWas(drift, acceptance) ?? 'it was'
