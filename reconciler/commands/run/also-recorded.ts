import { definitionOf, isNone, kindWords, type KindDefinition } from '@deploymgmt/provider/core'
import { enumerated } from '@deploymgmt/provider/core/text'
import {
  identityKeyOf,
  likenessBySilence,
  type PlannedChange,
  type Plan,
  type RecordedResource,
  type RecordedThere,
} from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { few } from '../../text/few.ts'
import { groupBy } from '../../text/group-by.ts'

/**
 * Warnings about what a plan adopts, creates or writes and the state of another manifest records as well: the applies
 * of both would undo each other, or make a thing twice. Other states are read only if there is something to look for;
 * one that cannot be read stops nothing here.
 */
export const alsoRecordedThere = async (
  { planned }: Pick<Plan, 'planned'>,
  recordedThere: () => Promise<readonly RecordedThere[]>,
): Promise<string[]> => {
  const sought = planned.flatMap(soughtOf)
  if (sought.length === 0) return []
  try {
    return warningsOf(sought, await recordedThere())
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    const at = error.where === undefined ? '' : ` (${error.where})`
    return [`whether other states record what this plan changes is not known: ${error.message}${at}`]
  }
}

/** What to look for in other states. */
interface Sought {
  readonly address: string
  readonly is: 'same' | 'alike'
  readonly key: string
  readonly says: Says
}

/** What another state records, and what to do about it. */
type Says = readonly [what: string, then: string]

const soughtOf = ({ change: { address }, work }: PlannedChange): Sought[] => {
  if (work.do === 'create') {
    const { definition, identity, desired } = work.instance
    const key = likenessBySilence(definition, { identity, applied: desired })
    return key === undefined ? [] : [{ address, is: 'alike', key, says: saysAlike(definition) }]
  }
  const thing = thingOf(work)
  const key = thing && identityKeyOf(kinds, thing)
  return key === undefined ? [] : [{ address, is: 'same', key, says: SAYS_SAME }]
}

type Thing = Pick<RecordedResource, 'kind' | 'identity'>

/** The thing that a change writes, ends, or brings under management. */
const thingOf = (work: PlannedChange['work']): Thing | undefined => {
  if (work.do === 'record') return work.put
  if (work.do === 'release') return work.record
  if (work.do === 'write')
    return work.record ?? { kind: work.instance.definition.kind, identity: work.instance.identity }
  return work.do === 'delete' ? { kind: work.instance.definition.kind, identity: work.identity } : undefined
}

const SAYS_SAME: Says = [
  'also records what this plan adopts or changes',
  'declare it in one manifest only: otherwise each apply undoes what the other did',
]

const saysAlike = ({ kind, identity: { scope }, silences }: KindDefinition): Says => {
  const dates = isNone(silences) ? [] : [silences.from, silences.to]
  const shared = [...scope.map((name) => name.replace(/Id$/, '')), ...dates]
  return [
    `records a ${kindWords(kind)} with the ${enumerated(shared)} of one that this plan creates`,
    'if both are meant to be one, declare it in one manifest only',
  ]
}

const warningsOf = (sought: readonly Sought[], there: readonly RecordedThere[]): string[] => {
  const known = { same: new Map<string, RecordedThere[]>(), alike: new Map<string, RecordedThere[]>() }
  const note = (is: Sought['is'], key: string | undefined, each: RecordedThere): void => {
    if (key !== undefined) known[is].set(key, [...(known[is].get(key) ?? []), each])
  }
  for (const each of there) {
    const definition = definitionOf(kinds, each.kind)
    if (definition === undefined) continue
    note('same', identityKeyOf(kinds, each), each)
    note('alike', likenessBySilence(definition, each), each)
  }
  const met = sought.flatMap(({ address, is, key, says }) =>
    (known[is].get(key) ?? []).flatMap(({ state, address: other }) =>
      // What ends by itself, such as a silence, is in a state without a name.
      state === undefined ? [] : [{ says, state, address, there: other }],
    ),
  )
  return groupBy(met, ({ says: [what], state }) => `${what} ${state}`).flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const [what, then] = first.says
    const names = group.map((each) =>
      each.there === each.address ? each.address : `${each.address} (there ${each.there})`,
    )
    return [`${first.state} ${what}: ${few(names)}; ${then}`]
  })
}
