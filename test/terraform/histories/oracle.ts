/** What a history has done so far. It knows nothing that the provider says. */
import type { Declared } from './declared.ts'
import type { Ended, Stated, Truth, World } from './world.ts'

/** What is there at one moment. */
export interface Moment {
  readonly truth: Truth
  readonly state: ReadonlyMap<string, Stated>
}

export class Oracle {
  declared: Declared
  /** What a configuration had when an address came to stand for it: `ADDRESS ID`. */
  readonly adopted = new Map<string, boolean>()
  /** What a command of ours has last written to a configuration, or found when an address came to stand for it. */
  readonly set = new Map<string, boolean>()
  /** Windows that commands of ours have made. */
  readonly made = new Set<string>()
  /** Windows that somebody else has made. */
  readonly theirs = new Set<string>()
  /** Windows that were let go of as they are. */
  readonly left = new Set<string>()
  /** Things that somebody else has written since a command of ours last did, by id. */
  readonly foreign = new Set<string>()
  /** A request of the next command fails, or its answer is lost. */
  isFaulty = false
  /** Somebody wrote while a command of ours did: their changes may have been before or after ours. */
  isUnclear = false

  constructor(declared: Declared) {
    this.declared = declared
  }

  /** Follows what a command has done to the state and the service. */
  follow({ wrote }: Ended, before: Moment, after: Moment): void {
    const written = new Set(wrote.map(({ path }) => idIn(path)))
    for (const id of written) this.foreign.delete(id)
    for (const id of after.truth.windows.keys())
      if (!before.truth.windows.has(id) && !this.theirs.has(id)) this.made.add(id)
    const kept = new Set([...after.state.values()].map(({ values }) => values.id))
    for (const { values } of before.state.values())
      if (values.on_remove === 'forget' && !kept.has(values.id)) this.left.add(values.id)
    for (const [address, stated] of after.state)
      for (const id of configsOf(stated)) {
        const key = `${address} ${id}`
        const wasThere = configsOf(before.state.get(address)).includes(id)
        if (!wasThere) this.adopted.set(key, before.truth.configs.get(id) ?? false)
        // What somebody else wrote, and the configuration or the state has taken on, is not ours.
        if (!wasThere || written.has(id)) this.set.set(id, after.truth.configs.get(id) ?? false)
      }
  }
}

export const momentOf = async (world: World): Promise<Moment> => ({
  truth: await world.truth(),
  state: await world.state(),
})

export const idIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The configurations that a resource of the state stands for. */
export const configsOf = (stated: Stated | undefined): readonly string[] => {
  const { alert_config_id: id, configurations } = stated?.values ?? {}
  if (typeof id === 'string') return [id]
  return Object.keys(configurations ?? {})
}
