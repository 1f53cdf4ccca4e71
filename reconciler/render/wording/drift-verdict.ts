import { showInstant } from '../../text/instants.ts'
import { type DriftDocument, isPerhaps } from '../document/drift-model.ts'
import { findingsOf, type Finding, type Rule } from './findings.ts'
import { number } from '../../text/number.ts'
import { TO_BE_SETTLED_BY_APPLY } from './to-settle.ts'

const OUTSIDE: ReadonlySet<Rule> = new Set(['drifted', 'not-found', 'event-since', 'acceptance-ended'])

const isOutside = ({ rule }: Finding): boolean => OUTSIDE.has(rule)
/** Possible changes are counted separately from certain ones. */
const isDoubtful = ({ drift }: Finding): boolean => drift !== undefined && isPerhaps(drift)

type Said = (count: string, isOne: boolean, isAlone: boolean) => string
const WORDS: readonly (readonly [(finding: Finding) => boolean, Said])[] = [
  [
    (finding) => isOutside(finding) && !isDoubtful(finding),
    (count, isOne) => `${count} ${isOne ? 'thing is' : 'things are'} not as last applied`,
  ],
  [
    (finding) => isOutside(finding) && isDoubtful(finding),
    (count, isOne, isAlone) =>
      isAlone ? `${count} ${isOne ? 'thing' : 'things'} may have been changed` : `${count} may not be`,
  ],
  [
    ({ rule }) => rule === 'pending-late',
    (count, isOne) => `${count} declared ${isOne ? 'thing is' : 'things are'} late`,
  ],
  [
    ({ rule }) => rule === 'to-be-settled',
    (count, isOne) => `${count} ${isOne ? 'request is' : 'requests are'} ${TO_BE_SETTLED_BY_APPLY}`,
  ],
  [
    ({ rule }) => rule === 'unmanaged',
    (count, isOne) => `${count} ${isOne ? 'thing is' : 'things are'} unmanaged`,
  ],
]

const saidOf = (findings: readonly Finding[]): string[] => {
  const isAlone = findings.filter(isOutside).every(isDoubtful)
  return WORDS.flatMap(([fits, says]) => {
    // One thing can have several findings, with different reasons for different fields.
    const count = new Set(findings.filter(fits).map((each) => each.drift?.address ?? each)).size
    return count === 0 ? [] : [says(number(count), count === 1, isAlone)]
  })
}

/** Whether the target matches nothing: then nothing was found because nothing was read. */
export const isOfNothing = ({
  targeted,
  resources,
  accepted = [],
}: Pick<DriftDocument, 'targeted' | 'resources' | 'accepted'>): boolean =>
  targeted !== undefined && resources.length + accepted.length === 0

/** The result of the report, in plain words on one line. */
export const driftVerdict = (doc: DriftDocument): string => {
  const findings = findingsOf(doc)
  const counting = findings.filter(({ counts }) => counts)
  const others = findings.filter(({ counts }) => !counts)
  if (counting.length > 0) return `Drift: ${[...saidOf(counting), ...saidOf(others)].join(', ')}`
  const { 'in-sync': inSync, unverifiable, pending, accepted } = doc.summary
  const rest = [
    ...saidOf(others),
    ...(pending > 0 ? [`${number(pending)} pending`] : []),
    ...(accepted > 0 ? [`${number(accepted)} accepted`] : []),
    ...(unverifiable > 0 ? [`${number(unverifiable)} not verifiable`] : []),
    `${number(inSync)} in sync`,
  ]
  const drift = isOfNothing(doc) ? 'Nothing' : 'No drift'
  const among = doc.targeted === undefined ? drift : `${drift} among the targets`
  return `${doc.exitCode === 0 ? among : `${among}, but something needs attention (exit code ${doc.exitCode})`}: ${rest.join(', ')}`
}

/**
 * How far back events were read. Things that no list shows are absent only as far as events show, which must be stated
 * if finding them would fail the command.
 */
export const eventsRead = ({
  about,
  unmanagedCounts,
  eventsSince,
}: Pick<DriftDocument, 'about' | 'unmanagedCounts' | 'eventsSince'>): string[] => {
  if (unmanagedCounts !== true) return []
  if (eventsSince !== undefined) return [`events since ${showInstant(eventsSince)}`]
  return [about.organizations.length > 1 ? 'events not read in every organization' : 'no events read']
}
