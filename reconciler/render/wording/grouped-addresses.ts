import type { ReportedEvidence } from '../document/reported.ts'
import { showDay } from '../../text/instants.ts'
import { groupBy } from '../../text/group-by.ts'
import { withProject } from './beside-address.ts'
import { withNote, evidenceWords } from './sentences.ts'

/** Addresses with the same text. */
export const reasonGroups = (things: readonly { readonly address: string; readonly reason: string }[]) =>
  groupBy(things, ({ reason }) => reason).map((group) => ({
    addresses: group.map(({ address }) => address),
    why: group[0]?.reason ?? '',
  }))

/**
 * Unverifiable things in few lines: those with the same reason share it.
 * @param names of the projects that addresses contain
 */
export const unverifiableGroups = (
  things: readonly { readonly address: string; readonly evidence: ReportedEvidence }[],
  names?: ReadonlyMap<string, string>,
): { readonly addresses: readonly string[]; readonly why: string }[] =>
  groupBy(things, ({ evidence }) => groupKey(evidence)).map((group) => {
    const all = group.flatMap(({ evidence }) => evidence.since ?? [])
    const since = all.toSorted().at(0)
    const evidence: ReportedEvidence = group[0]?.evidence ?? { level: 'unknown' }
    const isOldest = new Set(all.map(showDay)).size > 1
    const why = evidenceWords(evidence, since, { isOldest })
    return {
      addresses: group.map(({ address }) => withProject(address, names)),
      why: withNote(why, evidence),
    }
  })

const groupKey = ({ level, note, events }: ReportedEvidence): string =>
  JSON.stringify([level, note, events?.map(({ id }) => id)])
