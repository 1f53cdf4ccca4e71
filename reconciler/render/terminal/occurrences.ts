import { definitionOf } from '@deploymgmt/provider/core'
import { entryOf } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { instantOf } from '../../text/instants.ts'
import type { SaidChange } from '../document/plan-model.ts'
import type { SaidField } from '../document/said.ts'

/** One of what a rule makes of an entry. */
export interface Occurrence {
  readonly entry: string
  /** The fields that the rule fills, the one that it begins with first. */
  readonly made: readonly string[]
  /** How long it is, in milliseconds: clocks that change make some longer. */
  readonly length: number
  /** All fields but those, and but where it is. */
  readonly alike: readonly SaidField[]
}

/** Nothing of a change that creates no occurrence: one is known by the instant it begins with. */
export const occurrenceOf = ({
  action,
  kind,
  address,
  after,
  fields,
}: SaidChange): Occurrence | undefined => {
  const definition = action === 'create' ? definitionOf(kinds, kind) : undefined
  const made = definition?.expand.instead?.of ?? []
  const entry = entryOf(address)
  const [from, ...to] = made.map((name) => instantOf(after?.[name]))
  if (definition === undefined || from === undefined || entry === address) return undefined
  const apart = new Set([...made, ...definition.identity.scope])
  return {
    entry,
    made,
    length: (to.at(-1) ?? from) - from,
    alike: fields.filter(({ path }) => !apart.has(path)),
  }
}

/** The one that begins last. */
export const lastOf = (changes: readonly SaidChange[], [from = '']: readonly string[]): unknown =>
  changes
    .map(({ after }) => after?.[from])
    .toSorted((one, other) => (instantOf(one) ?? 0) - (instantOf(other) ?? 0))
    .at(-1)
