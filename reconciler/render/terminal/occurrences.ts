import { definitionOf } from '@deploymgmt/provider/core'
import { entryOf } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { instantOf } from '../../text/instants.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import type { ReportedField } from '../document/reported.ts'

/** One thing that a rule makes of an entry. */
interface Occurrence {
  readonly entry: string
  /** The fields that the rule fills, with the start first. */
  readonly made: readonly string[]
  /** The duration in milliseconds; clock changes make some longer. */
  readonly length: number
  /** All other fields, without the place. */
  readonly alike: readonly ReportedField[]
}

/** Undefined if the change creates no occurrence; an occurrence is identified by its start. */
export const occurrenceOf = ({
  action,
  kind,
  address,
  after,
  fields,
}: ReportedChange): Occurrence | undefined => {
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

/** The occurrence that starts last. */
export const lastOf = (changes: readonly ReportedChange[], [from = '']: readonly string[]): unknown =>
  changes
    .map(({ after }) => after?.[from])
    .toSorted((one, other) => (instantOf(one) ?? 0) - (instantOf(other) ?? 0))
    .at(-1)
