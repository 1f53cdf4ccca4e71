import type { FormerAcceptance, SaidDrift } from '../document/drift-model.ts'

/** `it was`, or the names of the fields that it was of, where others have drifted too. */
export const wasOf = (drift: Pick<SaidDrift, 'fields'>, { fields = [] }: FormerAcceptance): string => {
  if (fields.length === 0 || fields.length === drift.fields.length) return 'it was'
  return `${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'}`
}
