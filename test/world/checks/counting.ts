import type { Oracle } from '../known/oracle.ts'
import { recordsOf, type World } from '../world.ts'

/** What a report is to count, besides what has drifted. */
export interface Counting {
  readonly isStrict?: boolean
  readonly unmanaged?: 'fail' | 'off'
  /** After how many hours something pending is late. */
  readonly hours?: number
}

export const wordsOf = ({ isStrict, unmanaged, hours }: Counting): string[] => [
  ...(isStrict === true ? ['--strict'] : []),
  ...(unmanaged === undefined ? [] : ['--unmanaged', unmanaged]),
  ...(hours === undefined ? [] : ['--pending-for', `${hours}h`]),
]

/** No endpoint shows them. */
const UNSEEN: ReadonlySet<string> = new Set(['maintenance_window', 'user', 'api_key'])

/** The recorded things that nothing can show to be as they were applied, except those that a person has accepted. */
export const unseenIn = async (world: World, { drifts }: Oracle): Promise<string[]> =>
  Object.entries(await recordsOf(world)).flatMap(([address, { kind }]) =>
    UNSEEN.has(kind) && !drifts.has(address) ? [address] : [],
  )

/** Whether a drift report has to fail although nothing has drifted: there is always something that nobody declares. */
export const isMore = async (
  world: World,
  oracle: Oracle,
  { isStrict, unmanaged }: Counting,
): Promise<boolean> =>
  unmanaged === 'fail' || (isStrict === true && (await unseenIn(world, oracle)).length > 0)
