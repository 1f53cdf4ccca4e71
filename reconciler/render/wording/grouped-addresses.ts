import { entryOf, parseAddress } from '@deploymgmt/provider/engine'
import type { ReportedEvidence } from '../document/reported.ts'
import { instantOf, showDay } from '../../text/instants.ts'
import { groupBy } from '../../text/group-by.ts'
import { withProject } from './beside-address.ts'
import { addressedIn } from './occurrences.ts'
import { number } from '../../text/number.ts'
import { withNote, evidenceWords } from './sentences.ts'

/** Addresses with the same text. */
export const reasonGroups = (things: readonly { readonly address: string; readonly reason: string }[]) =>
  groupBy(things, ({ reason }) => reason).map((group) => ({
    addresses: group.map(({ address }) => address),
    why: group[0]?.reason ?? '',
  }))

/** One address, or the words for several of one entry. */
export interface Told {
  readonly text: string
  readonly count: number
}

/** Addresses with those of one entry together, by what their keys differ in. */
const instancesTold = (
  addresses: readonly string[],
  names: ReadonlyMap<string, string> = new Map(),
): Told[] =>
  groupBy(addresses, entryOf).flatMap((group) => {
    const entry = entryOf(group[0] ?? '')
    const keys = group.map((address) => parseAddress(address).keys)
    const isOf = (count: number): boolean => keys.every(({ length }) => length === count)
    const isDated = keys.every((parts) => instantOf(parts.at(-1) ?? '') !== undefined)
    const of = `${number(group.length)} of ${entry}`
    if (group.length === 1 || !(isOf(1) || (isDated && isOf(2))))
      return group.map((address) => ({ text: withProject(address, names), count: 1 }))
    if (!isDated) {
      const called = keys.map(([key = '']) => names.get(key) ?? key)
      return [{ text: `${of}[${called.join(', ')}]`, count: group.length }]
    }
    const inProjects = groupBy(keys, ([project = '', start]) => (start === undefined ? '' : project))
    return groupBy(inProjects, (those) => JSON.stringify(startsOf(those))).map((alike) => {
      const projects = alike.flatMap(([[project = '', ...rest] = []]) =>
        rest.length === 0 ? [] : [names.get(project) ?? project],
      )
      const starts = startsOf(alike[0] ?? [])
      const count = starts.length * alike.length
      return { text: `${number(count)} of ${addressedIn(entry, projects)} (${starts.join(', ')})`, count }
    })
  })

const startsOf = (keys: readonly (readonly string[])[]): string[] =>
  keys.flatMap((parts) => parts.at(-1) ?? []).toSorted()

/**
 * Unverifiable things in few lines: those with the same reason share it.
 * @param names of the projects that addresses contain
 */
export const unverifiableGroups = (
  things: readonly { readonly address: string; readonly evidence: ReportedEvidence }[],
  names?: ReadonlyMap<string, string>,
): { readonly addresses: readonly string[]; readonly told: readonly Told[]; readonly why: string }[] =>
  groupBy(things, ({ evidence }) => groupKey(evidence)).map((group) => {
    const all = group.flatMap(({ evidence }) => evidence.since ?? [])
    const since = all.toSorted().at(0)
    const evidence: ReportedEvidence = group[0]?.evidence ?? { level: 'unknown' }
    const isOldest = new Set(all.map(showDay)).size > 1
    const why = evidenceWords(evidence, since, { isOldest })
    return {
      addresses: group.map(({ address }) => withProject(address, names)),
      told: instancesTold(
        group.map(({ address }) => address),
        names,
      ),
      why: withNote(why, evidence),
    }
  })

const groupKey = ({ level, note, events }: ReportedEvidence): string =>
  JSON.stringify([level, note, events?.map(({ id }) => id)])
