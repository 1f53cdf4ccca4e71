import type { KindDefinition } from '../../core/definition.ts'
import { reason, type Reason } from '../reason.ts'
import { entryOf } from '../values/address.ts'
import type { Entry } from '../values/model.ts'
import { circlesIn } from './circles.ts'

/** An entry with a reference that an apply does not resolve. */
export interface Untold {
  readonly entry: Entry
  readonly because: Reason
  /** `never`: no apply can resolve it. `unless-recorded`: an apply can, as long as what it refers to is recorded. */
  readonly told: 'never' | 'unless-recorded'
}

/**
 * References that cannot be resolved, as far as that is known before anything is recorded or read, with the reasons
 * that a plan would give. A reference to several things resolves to none, and in a circle nothing comes first.
 * References use recorded ids, though, so a circle works while its ids are recorded.
 *
 * @param isSound whether the entry can be expanded
 */
export const untold = (
  entries: readonly Entry[],
  definitions: readonly KindDefinition[],
  now: Date,
  isSound: (entry: Entry) => boolean,
): Untold[] => {
  if (entries.every(({ waiting = [] }) => waiting.length === 0)) return []
  const isItself = (entry: Entry): boolean =>
    definitions.some(
      (definition) => definition.kind === entry.kind && standsForItself(definition, entry, now),
    )
  const addresses = new Set(entries.map(({ address }) => address))
  const several = new Set([
    ...entries.filter((entry) => isSound(entry) && !isItself(entry)).map(({ address }) => address),
    ...[...addresses].map(entryOf).filter((address) => !addresses.has(address)),
  ])
  const circleOf = circlesIn(
    new Map(entries.map(({ address, waiting = [] }) => [address, waiting.map((each) => each.for)])),
  )
  return entries.flatMap((entry): Untold[] => {
    const { waiting = [] } = entry
    const lost = waiting.find((each) => several.has(each.for))
    if (lost !== undefined) {
      const { field, for: address, needs } = lost
      return [{ entry, because: reason('reference-to-several', { field, address, needs }), told: 'never' }]
    }
    for (const { field, for: address } of waiting) {
      const circle = circleOf(entry.address, address)
      if (circle === undefined) continue
      const because = reason('reference-in-circle', { field, ...circle })
      return [{ entry, because, told: 'unless-recorded' }]
    }
    return []
  })
}

/** Whether the entry has an instance at its own address, whatever is live. */
const standsForItself = ({ expand }: KindDefinition, { values }: Entry, now: Date): boolean =>
  expand
    .instances({ values, live: [], recorded: [], now })
    .some((each) => each.is === 'in-force' || (each.is === 'instance' && each.key === undefined))
