import type { Acceptance, FormerAcceptance, Known, ReportedDrift } from '../document/drift-model.ts'
import { fileAndLine } from '../document/places.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import { untilWords } from './until.ts'

type Drifted = Pick<ReportedDrift, 'fields'>

/** The fields that it covered, if others have drifted too: `roles was`. */
export const partWas = (drift: Drifted, former: FormerAcceptance): string | undefined => {
  const { fields = [] } = former
  return isPart(drift, former) ? `${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'}` : undefined
}

const isPart = (drift: Drifted, { fields = [] }: FormerAcceptance): boolean =>
  fields.length > 0 && fields.length !== drift.fields.length

/** `Too loud (deploymgmt.accepted.yaml:5)`. */
export const reasonAt = ({ reason, at }: Acceptance | Known): string =>
  at === undefined ? reason : `${reason} (${fileAndLine(at) ?? at})`

/** `known until 2026-11-15, which has passed: Too loud`. */
export const passedWords = (known: string, of: Known, why: string): string =>
  `${[known, ...untilWords(of)].join(' ')}, which has passed: ${why}`

/** Says of each acceptance of a drift why it no longer applies. */
export const formerlyAccepted = (
  drift: Drifted & Pick<ReportedDrift, 'acceptanceEnded' | 'acceptanceChanged'>,
  whyOf: (acceptance: Acceptance) => string,
): string[] => {
  const { acceptanceEnded = [], acceptanceChanged = [] } = drift
  const accepted = (each: FormerAcceptance): string => `${partWas(drift, each) ?? 'it was'} accepted`
  return [
    ...acceptanceEnded.map((each) => passedWords(accepted(each), each, whyOf(each))),
    ...acceptanceChanged.map((each) => {
      const has = isPart(drift, each) && (each.fields ?? []).length > 1 ? 'have' : 'has'
      return `${accepted(each)}, but ${has} changed again since: ${whyOf(each)}`
    }),
  ]
}

/**
 * `enabled was accepted as it is until 2026-12-31: Too loud (deploymgmt.accepted.yaml:5); this apply undoes it`. The
 * acceptance stays, so that the same drift is accepted again.
 */
const endedSentences = ({ endsAcceptances = [] }: Pick<ReportedChange, 'endsAcceptances'>): string[] =>
  endsAcceptances.map((acceptance) => {
    const { fields = [] } = acceptance
    const isOne = fields.length < 2
    const what = `${fields.length === 0 ? 'it' : fields.join(', ')} ${isOne ? 'was accepted as it is' : 'were accepted as they are'}`
    const accepted = [what, ...untilWords(acceptance)].join(' ')
    return `${accepted}: ${reasonAt(acceptance)}; this apply undoes ${isOne ? 'it' : 'them'}; remove that entry, or the same drift is accepted again when it returns`
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
