import type { Steer } from './proxy.ts'

/** Lets the service make everything in the opposite order of the requests, and loses all answers. */
export const inOppositeOrder = (
  count: number,
  between: () => Promise<unknown> = async () => undefined,
): Steer => {
  const waiting: (() => Promise<unknown>)[] = []
  const all = Promise.withResolvers<void>()
  return async ({ method }, forward) => {
    if (method !== 'POST') return forward()
    waiting.push(forward)
    if (waiting.length === count) {
      for (const make of waiting.toReversed()) {
        await make()
        await between()
      }
      all.resolve()
    }
    await all.promise
    return 'reset'
  }
}

interface Held {
  readonly steer: Steer
  /** Lets the service make the others. */
  readonly makeOthers: () => Promise<unknown>
}

/** Loses the answers to all creations, and holds back all but those that send this text. */
export const makingOnly = (text: string): Held => {
  const waiting: (() => Promise<unknown>)[] = []
  return {
    steer: async ({ method, body }, forward) => {
      if (method !== 'POST') return forward()
      if (body.includes(text)) await forward()
      else waiting.push(forward)
      return 'reset'
    },
    makeOthers: () => Promise.all(waiting.map((make) => make())),
  }
}
