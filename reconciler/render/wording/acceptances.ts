import { showInstant } from '../../text/instants.ts'
import type { FormerAcceptance, ReportedDrift } from '../document/drift-model.ts'
import { fileAndLine } from '../document/places.ts'
import type { ReportedChange } from '../document/plan-model.ts'

type Drifted = Pick<ReportedDrift, 'fields'>

/** The fields that it covered, if others have drifted too: `roles was`. */
export const partWas = (drift: Drifted, { fields = [] }: FormerAcceptance): string | undefined =>
  fields.length === 0 || fields.length === drift.fields.length
    ? undefined
    : `${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'}`

/** The same in a sentence: `it was` if it covered all of them. */
export const wasOf = (drift: Drifted, acceptance: FormerAcceptance): string =>
  partWas(drift, acceptance) ?? 'it was'

/**
 * `enabled was accepted as it is until 2026-12-31: Too loud (deploymgmt.accepted.yaml:5); this apply undoes it`. The
 * acceptance stays, so that the same drift is accepted again.
 */
const endedSentences = ({ endsAcceptances = [] }: Pick<ReportedChange, 'endsAcceptances'>): string[] =>
  endsAcceptances.map(({ fields = [], reason, until, at }) => {
    const isOne = fields.length === 1
    const what = `${fields.join(', ')} ${isOne ? 'was accepted as it is' : 'were accepted as they are'}`
    const end = until === undefined ? '' : ` until ${showInstant(until)}`
    return `${what}${end}: ${reason} (${fileAndLine(at) ?? at}); this apply undoes ${isOne ? 'it' : 'them'}; remove that entry, or the same drift is accepted again when it returns`
  })

/** `accepted at deploymgmt.accepted.yaml:5 as …`: a person keeps the file, so nothing renames what it says. */
const leftSentences = ({
  address,
  from = '',
  leavesAcceptances = [],
}: Pick<ReportedChange, 'address' | 'from' | 'leavesAcceptances'>): string[] =>
  leavesAcceptances.map(
    ({ at }) =>
      `accepted at ${fileAndLine(at) ?? at} as ${from}: write ${address} there, or drift fails again`,
  )

/** What carrying out a change means for acceptances. */
export const acceptedSentences = (change: ReportedChange): string[] => [
  ...endedSentences(change),
  ...leftSentences(change),
]
