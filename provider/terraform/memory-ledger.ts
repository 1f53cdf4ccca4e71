import type { Effect, Ledger, RecordedResource } from '../engine/index.ts'

/**
 * Terraform keeps the state itself, so that this door's ledger lives in memory: what it holds after a change
 * becomes the resource's private state. A crash between a request and Terraform's own write is not covered.
 */
export const memoryLedger = (records: Readonly<Record<string, RecordedResource>>): Ledger => {
  const kept: Record<string, RecordedResource> = { ...records }
  let intents = 0
  const apply = (effects: readonly Effect[]): Promise<void> => {
    for (const effect of effects) applyOne(kept, effect)
    return Promise.resolve()
  }
  return {
    records: kept,
    intent: () => Promise.resolve((intents += 1)),
    answered: (_, __, effects) => apply(effects),
    refused: () => Promise.resolve(),
    unknown: () => Promise.resolve(),
    effects: apply,
  }
}

const applyOne = (kept: Record<string, RecordedResource>, effect: Effect): void => {
  if (effect.op === 'put') kept[effect.address] = effect.resource
  else if (effect.op === 'drop') delete kept[effect.address]
  else {
    const record = kept[effect.from]
    delete kept[effect.from]
    if (record !== undefined) kept[effect.to] = record
  }
}
