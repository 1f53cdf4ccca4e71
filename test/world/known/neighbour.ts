import { recordsOf, type World } from '../world.ts'
import type { Oracle } from './oracle.ts'

/** Another manifest for the same installation, which uses the same key; each names the state of the other. */
export interface Neighbour {
  readonly world: World
  readonly oracle: Oracle
  /** How many of all acts its state can know of: none if it is lost, and fewer than there are if it is an older copy. */
  readonly knows: number
}

/** What the state of the other manifest records. */
export const recordsBeside = async ({ neighbour }: Oracle): Promise<readonly any[]> =>
  neighbour === undefined || neighbour.knows === 0 ? [] : Object.values(await recordsOf(neighbour.world))

/** The things that the state of the other manifest knows: recorded now or once, or disowned there. */
export const knownBeside = async (oracle: Oracle): Promise<ReadonlySet<string>> => {
  const { neighbour } = oracle
  if (neighbour === undefined || neighbour.knows === 0) return new Set()
  const made = neighbour.world.service.acts
    .slice(0, neighbour.knows)
    .filter(({ by, before }) => by === 'run' && before === undefined)
  return new Set([
    ...made.map(({ id }) => id),
    ...(await recordsBeside(oracle)).map(({ identity }) => identity.id),
    ...neighbour.oracle.disowned,
  ])
}
