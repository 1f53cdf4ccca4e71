import type { DriftedField, Evidence, FieldChange, Need, Reason, Settled } from '@deploymgmt/provider/engine'
import type { Words } from '@deploymgmt/provider/words'
import type { About } from './about.ts'

/** The evidence for readers. */
export interface ReportedEvidence extends Omit<Evidence, 'notes'> {
  /** Why the thing cannot be read, or why no event could be looked for. */
  readonly note?: string
}

export interface ReportedField extends Omit<FieldChange, 'note'> {
  readonly note?: string
}

export interface ReportedDriftedField extends Omit<DriftedField, 'note'>, ReportedField {}

export interface ReportedNeed extends Omit<Need, 'because'> {
  readonly because: string
}

/** A request whose outcome is unknown until an apply has settled it. */
export interface ReportedToSettle {
  readonly address: string
  readonly reasonCode: string
  /** How an apply settles it. */
  readonly reason: string
}

export type ToSettle = Pick<Settled, 'address' | 'how'>

/** The address of a need is left out if its reason names it. */
export const reportedNeeds = (needs: readonly Need[], { says }: Words): ReportedNeed[] =>
  needs.map(({ address, flag, because }) => ({
    flag,
    because: says(because),
    ...(address === undefined || 'address' in because ? {} : { address }),
  }))

/** The plan above says where; a refusal is shorter. */
export const reportedNeedsShortly = (needs: readonly Need[], words: Words): ReportedNeed[] =>
  reportedNeeds(
    needs.map((need) =>
      need.because.code === 'changes-many' ? { ...need, because: { ...need.because, places: [] } } : need,
    ),
    words,
  )

export const reportedFields = (fields: readonly DriftedField[], { says }: Words): ReportedDriftedField[] =>
  fields.map(({ note, ...field }) => ({ ...field, ...(note === undefined ? {} : { note: says(note) }) }))

export const reportedEvidence = ({ notes, ...evidence }: Evidence, words: Words): ReportedEvidence => ({
  ...evidence,
  ...(notes === undefined ? {} : { note: asSentences(notes, words) }),
})

export const asSentences = (reasons: readonly Reason[], { sentence }: Words): string =>
  reasons.map(sentence).join(' ')

export const reportedToSettle = (toSettle: readonly ToSettle[], { says }: Words): ReportedToSettle[] =>
  toSettle.map(({ address, how }) => ({ address, reasonCode: how.code, reason: says(how) }))

/** What plans and drift reports say of their subject as a whole. */
export interface ReportedSubject {
  readonly about: About
  /** The globs of the addresses that were read; left out if all were. */
  readonly targeted?: readonly string[]
  /** Left out if there is none. */
  readonly ignored?: readonly ReportedIgnored[]
}

/** What is in sync apart from fields that its entry leaves to others. */
export interface ReportedIgnored {
  readonly address: string
  /** The fields that differ. */
  readonly fields: readonly string[]
}

export const reportedIgnored = (
  all: readonly { readonly address: string; readonly reasons: readonly Reason[] }[],
): { readonly ignored?: readonly ReportedIgnored[] } => {
  const ignored = all.flatMap(({ address, reasons }) =>
    reasons.flatMap((each) =>
      each.code === 'as-declared-but-ignored' || each.code === 'as-applied-but-ignored'
        ? [{ address, fields: each.fields }]
        : [],
    ),
  )
  return ignored.length === 0 ? {} : { ignored }
}

/** The addresses that were read, if not all were. */
export const targetedBy = (target: readonly string[]): { readonly targeted?: readonly string[] } =>
  target.length === 0 ? {} : { targeted: target }
