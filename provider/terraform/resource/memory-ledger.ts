import { isReadable, omit, pick, type KindDefinition } from '../../core/index.ts'
import {
  afterLostChange,
  remember,
  spanOfUnknown,
  writableFields,
  wrote,
  type Effect,
  type Intended,
  type Intent,
  type Ledger,
  type LostWrite,
  type RecordedResource,
  type Records,
} from '../../engine/index.ts'
import type { Configured, OwnWrites } from '../connection/connection.ts'

/**
 * Terraform keeps the state itself, so this door's ledger lives in memory: its contents after a change become the
 * resource's private state. A crash between a request and Terraform's own write is not covered.
 */
export class MemoryLedger implements Ledger {
  readonly records: Record<string, RecordedResource>
  readonly #definition: KindDefinition
  readonly #serviceNow: () => number
  /** What all resources of one run share. */
  readonly #run: Pick<Configured, 'ownWrites' | 'creations'>
  readonly #intents = new Map<number, Intent>()
  #lost: LostWrite[] = []

  constructor(
    definition: KindDefinition,
    records: Records,
    serviceNow: () => number,
    run: Pick<Configured, 'ownWrites' | 'creations'>,
  ) {
    this.records = { ...records }
    this.#definition = definition
    this.#serviceNow = serviceNow
    this.#run = run
  }

  get unrecorded(): OwnWrites['unrecorded'] {
    return this.#run.ownWrites.unrecorded
  }

  /** Requests of unknown outcome since the last call. */
  takeLost(): readonly LostWrite[] {
    const taken = this.#lost
    this.#lost = []
    return taken
  }

  /** What lost requests may have written is our own: an event that tells of it accuses nobody. */
  ownLost(): Promise<void> {
    const now = this.#serviceNow()
    return this.effects(this.takeLost().map((write) => wrote(write.expected, spanOfUnknown(write, now))))
  }

  /** Marks fields that may or may not have been written: the next apply writes them again. */
  leaveUnsure(writes: readonly LostWrite[]): void {
    for (const write of writes.filter(({ method }) => method === 'PATCH')) {
      const record = this.records[write.address] ?? write.expected
      const span = spanOfUnknown(write, this.#serviceNow())
      this.records[write.address] = afterLostChange(this.#definition, record, write, span)
    }
  }

  async intent(intent: Intent): Promise<Intended> {
    const n = await this.#run.creations.begin(intent)
    this.#intents.set(n, intent)
    return { n, at: intent.at }
  }

  async answered(n: number, _: number, effects: readonly Effect[]): Promise<void> {
    await this.effects(effects)
    this.#run.creations.land(n)
  }

  refused(n: number): Promise<void> {
    return Promise.resolve(this.#run.creations.land(n))
  }

  withdrawn(n: number): Promise<void> {
    return Promise.resolve(this.#run.creations.land(n))
  }

  unknown(n: number): Promise<void> {
    const intent = this.#intents.get(n)
    if (intent !== undefined) {
      const write = { ...intent, n }
      this.#lost.push(write)
      this.#run.creations.lose(write)
    }
    return Promise.resolve()
  }

  effects(effects: readonly Effect[]): Promise<void> {
    const { ownWrites, creations } = this.#run
    creations.know(effects)
    const memory = { unrecorded: ownWrites.unrecorded, resources: this.records }
    remember(
      memory,
      effects.map((each) => withOwnValues(this.#definition, each, this.records)),
    )
    ownWrites.unrecorded = memory.unrecorded ?? []
    return Promise.resolve()
  }

  // This door sends no creation again.
  learnt(): Promise<void> {
    return Promise.resolve()
  }
}

/**
 * A value that was read as declared and not written is not ours, whether the configuration has taken it on or
 * `ignore_changes` keeps it: Terraform makes both look alike. What was last written stays recorded, because a release
 * puts nothing back over what others have written.
 */
const withOwnValues = (definition: KindDefinition, effect: Effect, records: Records): Effect => {
  if (effect.op !== 'put' || !isReadable(definition)) return effect
  const before = records[effect.address]
  const { resource } = effect
  // Every write, also a lost one, makes a new span.
  if (before === undefined || before.lastWrite !== resource.lastWrite) return effect
  const { applied, unsure = [] } = before
  const asBefore = writableFields(definition).filter((name) => !unsure.includes(name))
  const own = asBefore.filter((name) => applied[name] !== undefined)
  return {
    ...effect,
    resource: { ...resource, applied: { ...omit(resource.applied, ...asBefore), ...pick(applied, own) } },
  }
}
