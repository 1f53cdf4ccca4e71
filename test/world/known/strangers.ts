import { knownBeside } from './neighbour.ts'
import { latestOf, type Oracle } from './oracle.ts'
import { recordsOf, truthOf, type World } from '../world.ts'
import type { Act } from './acts.ts'

/** A run no longer looks for events that become readable later than this. */
const LATE_MS = 590_000

/** Windows that the key of the runs made and nobody knows, which events tell by now and which are still to come. */
export const strangersTo = async (world: World, oracle: Oracle, late = LATE_MS): Promise<readonly Act[]> => {
  const { windows } = truthOf(world)
  const recorded = await idsIn(world)
  const declared = new Set(Object.values(oracle.declared.windows).map((each) => each?.windowId))
  const beside = await knownBeside(oracle)
  return world.service.acts.filter((act) => {
    const { id, seenFrom, at, after } = act
    const isTold = seenFrom <= world.now && seenFrom - at < late
    const ends = [after?.endDate, windows.get(id)?.endDate].map((end) => Date.parse(end))
    const isOpen = ends.every((end) => end > latestOf(world, oracle) + 60_000)
    const isKnown = recorded.has(id) || declared.has(id) || oracle.disowned.has(id) || beside.has(id)
    return (
      isCreation(act) &&
      act.by === 'twin' &&
      act.key === world.keys.run.publicKey &&
      isTold &&
      isOpen &&
      !isKnown
    )
  })
}

export const isCreation = ({ kind, before }: Act): boolean => kind === 'window' && before === undefined

/** The ids of what is recorded. */
export const idsIn = async (world: World): Promise<ReadonlySet<string>> =>
  new Set(Object.values(await recordsOf(world)).map(({ identity }) => identity.id))
