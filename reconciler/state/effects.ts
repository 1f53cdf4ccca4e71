import type { Effect, Resource } from './model.ts'

/**
 * Applies effects to a table of resources, in place and in order: all of them or none.
 *
 * @throws RangeError if an effect drops or moves what is not there, or moves onto what is
 */
export const applyEffects = <R extends Resource>(
  resources: Record<string, R>,
  effects: readonly Effect<R>[],
): void => {
  refuseImpossible(resources, effects)
  for (const effect of effects) {
    if (effect.op === 'put') resources[effect.address] = effect.resource
    else if (effect.op === 'drop') delete resources[effect.address]
    else {
      const moved = resources[effect.from]
      if (moved !== undefined) resources[effect.to] = moved
      delete resources[effect.from]
    }
  }
}

const refuseImpossible = <R extends Resource>(
  resources: Record<string, R>,
  effects: readonly Effect<R>[],
): void => {
  const changed = new Map<string, boolean>()
  const isThere = (address: string) => changed.get(address) ?? Object.hasOwn(resources, address)
  for (const effect of effects) {
    if (effect.op === 'put') changed.set(effect.address, true)
    else {
      const gone = effect.op === 'drop' ? effect.address : effect.from
      if (!isThere(gone)) throw new RangeError(`Nothing is recorded at ${gone}.`)
      changed.set(gone, false)
    }
    if (effect.op === 'move') {
      if (isThere(effect.to)) throw new RangeError(`Something is recorded at ${effect.to} already.`)
      changed.set(effect.to, true)
    }
  }
}
