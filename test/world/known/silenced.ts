import type { Oracle } from './oracle.ts'
import type { World } from '../world.ts'

/** The ids of the windows that silences have made. */
export const silencedIn = ({ service }: World, { silences }: Oracle): ReadonlySet<string> =>
  new Set(
    service.acts
      .filter(({ run = 0, before }) => silences.has(run) && before === undefined)
      .map(({ id }) => id),
  )
