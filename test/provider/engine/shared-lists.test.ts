import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { Listed } from '../../../provider/engine/read/listed.ts'
import { SharedLists } from '../../../provider/engine/read/shared-lists.ts'

const PROJECT = '5c8100bcf2a30b12ff88258f'
const LIST = `/groups/${PROJECT}/alertConfigs`
const definition = kinds.find(({ kind }) => kind === 'alert_configuration')!
const raw = (id: string, enabled: boolean) => ({ id, groupId: PROJECT, eventTypeName: 'HOST_DOWN', enabled })

/** A list of two things that takes so many requests to read. */
const reading = (requests = 1) => {
  const read = { times: 0 }
  const load = (): Promise<Listed> => {
    read.times += 1
    const request = { method: 'GET', url: LIST, path: LIST, outcome: 'refused' } as const
    const from = { request, scope: { projectId: PROJECT }, isWhole: () => false, requests }
    return Promise.resolve(new Listed(definition, [raw('a', true), raw('b', false)], from))
  }
  return { read, load }
}
const enabledIn = async (lists: SharedLists, load: () => Promise<Listed>): Promise<unknown[]> =>
  (await lists.at(LIST, load)).things.map(({ identity, values }) => [
    identity['alertConfigId'],
    values['enabled'],
  ])

describe('shared lists', () => {
  it('are read once, and have what a write has answered', async () => {
    const lists = new SharedLists()
    const { read, load } = reading()
    await lists.at(LIST, load)
    lists.wrote('PATCH', `${LIST}/b`, { id: 'b', enabled: true })
    expect(await enabledIn(lists, load)).toEqual([
      ['a', true],
      ['b', true],
    ])
    const [, b] = (await lists.at(LIST, load)).things
    expect(b?.raw).toMatchObject({ eventTypeName: 'HOST_DOWN' })
    lists.wrote('DELETE', `${LIST}/a`, undefined)
    expect(await enabledIn(lists, load)).toEqual([['b', true]])
    expect(read.times).toBe(1)
  })

  it.each([
    ['is about another thing', 'PATCH', `${LIST}/b`, raw('a', true)],
    ['is about what was not listed', 'PATCH', `${LIST}/c`, raw('c', true)],
    ['says nothing', 'PATCH', `${LIST}/b`, ''],
    ['is of another shape', 'PATCH', `${LIST}/b`, { id: 'b', enabled: 'yes' }],
    ['has made something', 'POST', LIST, raw('c', true)],
  ])('are read again where an answer %s', async (_, method, path, answer) => {
    const lists = new SharedLists()
    const { read, load } = reading()
    await lists.at(LIST, load)
    lists.wrote(method, path, answer)
    await lists.at(LIST, load)
    expect(read.times).toBe(2)
  })

  it('are read again where a write has ended while they were read, or nothing tells what it did', async () => {
    const lists = new SharedLists()
    const { read, load } = reading()
    const before = lists.at(LIST, load)
    lists.wrote('PATCH', `${LIST}/b`, raw('b', true))
    await before
    await lists.at(LIST, load)
    expect(read.times).toBe(2)
    lists.forget(`${LIST}/b`)
    await lists.at(LIST, load)
    expect(read.times).toBe(3)
  })

  it('are not kept where reading them has failed', async () => {
    const lists = new SharedLists()
    await expect(lists.at(LIST, () => Promise.reject(new TypeError('no')))).rejects.toThrow('no')
    const { read, load } = reading()
    await lists.at(LIST, load)
    expect(read.times).toBe(1)
  })

  it('serve callers that want no old ones while they are recent', async () => {
    const lists = new SharedLists()
    const { read, load } = reading()
    expect(lists.notOlderThan(60_000).at(LIST, load)).toBeUndefined()
    await lists.at(LIST, load)
    expect(await lists.notOlderThan(60_000).at(LIST, load)).toBe(await lists.at(LIST, load))
    expect(read.times).toBe(1)
  })

  it('are read again for callers that want no old ones after as many uses as they took requests', async () => {
    const lists = new SharedLists()
    const { read, load } = reading(2)
    await lists.at(LIST, load)
    const older = lists.notOlderThan(-1)
    expect(older.at(LIST, load)).toBeUndefined()
    await lists.at(LIST, load)
    expect(await older.at(LIST, load)).toBeInstanceOf(Listed)
    expect(read.times).toBe(2)
  })
})
