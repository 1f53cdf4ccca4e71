import { countBy } from '@deploymgmt/provider/core'
import type { Drift, Reason } from '@deploymgmt/provider/engine'
import { isCheck, type Words } from '@deploymgmt/provider/words'
import { withCommandsNamed } from './named-commands.ts'
import type { About } from './about.ts'
import {
  asSentences,
  reportedEvidence,
  reportedFields,
  reportedIgnored,
  reportedToSettle,
  targetedBy,
  type ToSettle,
} from './reported.ts'
import {
  isNews,
  type DriftDocument,
  type ReportedDrift,
  type ReportedEdit,
  type ReportedUnmanaged,
} from './drift-model.ts'
import { gravestFirst } from './worst-first.ts'

interface DriftFacts {
  readonly about: About
  readonly drifts: readonly Drift[]
  readonly checkedAt: Date
  /** The values of `--target`. */
  readonly target: readonly string[]
  readonly toSettle: readonly ToSettle[]
  /** Whether a person has to decide about a request, whose thing is left out. */
  readonly isOpen?: boolean
  readonly warnings: readonly Reason[]
  readonly requestsSent: number
  /** Warnings that are in words already; they come first. */
  readonly told: readonly string[]
  /** The kinds whose things silence alerts. */
  readonly silencing: ReadonlySet<string>
  /** The organizations of projects, by id. */
  readonly organizations: ReadonlyMap<string, string>
  /** Set if unmanaged things were looked for. */
  readonly unmanaged?: readonly ReportedUnmanaged[]
  readonly eventsSince?: string
  /** Whether unmanaged things count as drift. */
  readonly unmanagedCounts?: boolean
}

/** The drift report for users. */
export const driftDocument = (facts: DriftFacts, words: Words): Omit<DriftDocument, 'exitCode'> => {
  const { about, drifts, target, toSettle, unmanaged, eventsSince, unmanagedCounts = false } = facts
  const { silencing, organizations } = facts
  const news = unmanaged?.filter(isNews).length
  const summary = { ...summaryOf(drifts), ...(news === undefined ? {} : { unmanaged: news }) }
  // In sync means that nothing differs, so what waits for an apply counts too; it fails the command only once it is late.
  const differs = summary.drifted + summary.pending + toSettle.length + (unmanagedCounts ? (news ?? 0) : 0)
  const silences = ({ kind }: { readonly kind: string }): { readonly silences?: true } =>
    silencing.has(kind) ? { silences: true } : {}
  return {
    formatVersion: 1,
    about,
    inSync: differs === 0 && target.length === 0 && facts.isOpen !== true,
    checkedAt: facts.checkedAt.toISOString(),
    summary,
    resources: withCommandsNamed(drifts.map((drift) => sayDrift(drift, words))).map((each) =>
      each.verdict === 'drifted'
        ? { ...each, ...organizationOf(each, organizations), ...silences(each) }
        : each,
    ),
    ...(unmanaged === undefined
      ? {}
      : { unmanaged: unmanaged.map((each) => ({ ...each, ...silences(each) })) }),
    ...(eventsSince === undefined ? {} : { eventsSince }),
    ...(unmanagedCounts ? { unmanagedCounts } : {}),
    toBeSettled: reportedToSettle(toSettle, words),
    warnings: [...facts.told, ...facts.warnings.map(words.says)],
    ...reportedIgnored(drifts),
    ...targetedBy(target),
    requestsSent: facts.requestsSent,
  }
}

const summaryOf = (drifts: readonly Drift[]): DriftDocument['summary'] => ({
  'in-sync': 0,
  drifted: 0,
  unverifiable: 0,
  pending: 0,
  accepted: 0,
  ...countBy(drifts, ({ verdict }) => verdict),
})

/** If no documented event says who deleted the thing, other events of its organization may. */
const organizationOf = (
  { reasonCode, identity, actor, evidence }: ReportedDrift,
  organizations: ReadonlyMap<string, string>,
): Pick<ReportedDrift, 'orgId'> => {
  const orgId = organizations.get(identity?.['projectId'] ?? '')
  const isUntold = actor === undefined && evidence.events === undefined && evidence.eventsUnread !== true
  return reasonCode === 'gone-at-service' && isUntold && orgId !== undefined ? { orgId } : {}
}

/** The manual step of a blocked change, with what the plan warns of; whether it is late is no reason for the block. */
const byHandOf = ({ verdict, reasons, blocked }: Drift, words: Words): Pick<ReportedDrift, 'byHand'> => {
  if (verdict !== 'drifted' && verdict !== 'pending') return {}
  const all = blocked === undefined ? reasons : [blocked.because]
  const step = (verdict === 'pending' ? all : all.slice(-1))
    .map(words.step)
    .find((each) => each !== undefined)
  if (step === undefined) return {}
  const notes = blocked?.notes ?? []
  if (notes.length === 0) return { byHand: step }
  const told = asSentences(notes, words)
  // Nothing may follow text that is to be pasted.
  const isLast = notes.some(isCheck) || !step.endsWith('.')
  return { byHand: isLast ? `${told} ${step}` : `${step} ${told}` }
}

const sayDrift = (drift: Drift, words: Words): ReportedDrift => {
  const { reasons, fields, evidence, blocked: _, edited, notes = [], ...plain } = drift
  return {
    ...plain,
    ...(reasons.length === 0 ? {} : { reasonCode: reasons.at(-1)?.code ?? '' }),
    ...byHandOf(drift, words),
    // Only an unverifiable thing has several reasons; the others are notes on its evidence.
    reason:
      plain.verdict === 'unverifiable'
        ? asSentences([...reasons, ...notes], words)
        : reasons.map(words.says).join('; '),
    ...(notes.length === 0 ? {} : { notes: notes.map(words.says) }),
    fields: gravestFirst(reportedFields(fields, words)),
    evidence: reportedEvidence(evidence, words),
    ...(edited === undefined ? {} : { edited: sayEdit(sayDrift(edited, words)) }),
  }
}

const sayEdit = ({ reasonCode, reason, fields, isLate }: ReportedDrift): ReportedEdit => ({
  ...(reasonCode === undefined ? {} : { reasonCode }),
  reason,
  fields,
  ...(isLate === undefined ? {} : { isLate }),
})
