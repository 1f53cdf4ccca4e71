import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { MayBeKnown, ToldMade } from '../judge/strangers.ts'
import type { Made } from '../values/model.ts'
import { canHaveMade } from './candidates.ts'
import type { LostWrite } from './facts.ts'

/** A thing, and the lost creations that can have made it. */
interface Fitting {
  readonly made: Made
  readonly by: readonly LostWrite[]
}

/** Things that lost creations may have made (at most one each), and things that compete for too few creations. */
export const excusing =
  (definitions: readonly KindDefinition[], lost: readonly LostWrite[]): MayBeKnown =>
  (things) => {
    const fitting = things
      .map(({ made, told }) => ({ made, by: whichCanHaveMade({ made, told }, definitions, lost) }))
      .filter(({ by }) => by.length > 0)
    const [excused, contested] = [new Set<Made>(), new Set<Made>()]
    for (const group of groupsOf(fitting)) {
      const into = hasOneEach(group) ? excused : contested
      for (const { made } of group) into.add(made)
    }
    return { excused, contested }
  }

const whichCanHaveMade = (
  { made, told }: ToldMade,
  definitions: readonly KindDefinition[],
  lost: readonly LostWrite[],
): LostWrite[] => {
  const definition = definitionOf(definitions, made.kind)
  return definition === undefined ? [] : lost.filter((write) => canHaveMade(definition, write, made, told))
}

/** Groups of things that share possible creations, directly or through other things. */
const groupsOf = (fitting: readonly Fitting[]): Fitting[][] => {
  let groups: Fitting[][] = []
  for (const each of fitting) {
    const isOf = (group: readonly Fitting[]): boolean =>
      group.some(({ by }) => by.some((write) => each.by.includes(write)))
    groups = [...groups.filter((group) => !isOf(group)), [...groups.filter(isOf).flat(), each]]
  }
  return groups
}

/** Whether each thing of the group can be assigned a creation of its own. */
const hasOneEach = (group: readonly Fitting[]): boolean => {
  const given = new Map<LostWrite, Fitting>()
  const give = (to: Fitting, tried: Set<LostWrite>): boolean =>
    to.by.some((write) => {
      if (tried.has(write)) return false
      tried.add(write)
      const before = given.get(write)
      if (before !== undefined && !give(before, tried)) return false
      given.set(write, to)
      return true
    })
  return group.every((each) => give(each, new Set()))
}
