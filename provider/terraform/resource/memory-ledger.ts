import type { KindDefinition } from '../../core/index.ts'
import {
  afterLostChange,
  remember,
  spanOfUnknown,
  type Effect,
  type Intent,
  type Ledger,
  type LostWrite,
  type RecordedResource,
} from '../../engine/index.ts'
import type { Lately } from '../connection.ts'
import type { Creations } from '../creations.ts'

interface Remembering extends Ledger {
  /** Requests whose outcome is not known, since the last call. */
  readonly takeLost: () => readonly LostWrite[]
  /** Their fields may or may not have been written: the next apply writes them again. */
  readonly leaveUnsure: (lost: readonly LostWrite[]) => void
}

/**
 * Terraform keeps the state itself, so that this door's ledger lives in memory: what it holds after a change
 * becomes the resource's private state. A crash between a request and Terraform's own write is not covered.
 */
export const memoryLedger = (
  definition: KindDefinition,
  records: Readonly<Record<string, RecordedResource>>,
  serviceNow: () => number,
  { lately, creations }: { readonly lately: Lately; readonly creations: Creations },
): Remembering => {
  const kept: Record<string, RecordedResource> = { ...records }
  const intents = new Map<number, Intent>()
  let lost: LostWrite[] = []
  const apply = (effects: readonly Effect[]): Promise<void> => {
    creations.know(effects)
    const memory = { unrecorded: lately.unrecorded, resources: kept }
    remember(memory, effects)
    lately.unrecorded = memory.unrecorded ?? []
    return Promise.resolve()
  }
  return {
    records: kept,
    get unrecorded() {
      return lately.unrecorded
    },
    takeLost: () => {
      const taken = lost
      lost = []
      return taken
    },
    leaveUnsure(writes) {
      for (const write of writes.filter(({ method }) => method === 'PATCH')) {
        const record = kept[write.address] ?? write.expected
        const span = spanOfUnknown(write, serviceNow())
        kept[write.address] = afterLostChange(definition, record, write, span)
      }
    },
    async intent(intent) {
      const n = await creations.begin(intent)
      intents.set(n, intent)
      return { n, at: intent.at }
    },
    async answered(n, __, effects) {
      await apply(effects)
      creations.land(n)
    },
    refused: (n) => Promise.resolve(creations.land(n)),
    withdrawn: (n) => Promise.resolve(creations.land(n)),
    unknown(n) {
      const intent = intents.get(n)
      if (intent !== undefined) {
        const write = { ...intent, n }
        lost.push(write)
        creations.lose(write)
      }
      return Promise.resolve()
    },
    effects: apply,
    // No creation is sent again here.
    learnt: () => Promise.resolve(),
  }
}
