/** Applies of resources that may hand a thing over to each other take turns, and no others wait. */
import { expect, it } from 'vitest'
import { Turns, type HandOver } from '../../provider/terraform/connection/turns.ts'

const handOver = (more: Partial<HandOver>): HandOver => ({
  place: 'production',
  gives: false,
  takes: false,
  ...more,
})
const giving = handOver({ gives: true })
const taking = handOver({ takes: true })

it.each<[string, HandOver, HandOver, boolean]>([
  ['what the earlier one gives up may be taken', giving, taking, true],
  ['what the earlier one takes may be given up', taking, giving, true],
  ['both may only give up', giving, handOver({ gives: true }), false],
  ['both may only take', taking, handOver({ takes: true }), false],
  ['they are in two places', giving, handOver({ takes: true, place: 'staging' }), false],
])('an apply waits only for what crosses it: %s', async (_, earlier, later, waits) => {
  const turns = new Turns()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const done: string[] = []
  const both = [
    turns.take(earlier, () => promise).then(() => done.push('earlier')),
    turns.take(later, () => Promise.resolve()).then(() => done.push('later')),
  ]
  // All that does not wait has ended by then.
  setImmediate(() => resolve(undefined))
  await Promise.all(both)
  expect(done).toEqual(waits ? ['earlier', 'later'] : ['later', 'earlier'])
})
