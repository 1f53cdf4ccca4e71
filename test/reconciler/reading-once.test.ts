import { expect, it } from 'vitest'
import { ListUnstableError } from '../../provider/errors/index.ts'
import { readingOnce } from '../../reconciler/commands/adopt/reading-once.ts'
import { begin, failure, json } from '../provider/api/support/service.ts'

it('what was read is not read again, but a list that changed meanwhile is', async () => {
  let totalCount = 2
  const { service, client } = await begin((_, response) => {
    json(response, 200, { results: [{ id: 'a' }], totalCount, links: [] })
  })
  const once = readingOnce(client)
  await failure(once.list('/a'), ListUnstableError)
  totalCount = 1
  const read = await once.list('/a', { maxDate: '2026-11-20T12:00:00Z' })
  const sent = service.good().length
  expect(await once.list('/a')).toBe(read)
  expect(service.good()).toHaveLength(sent)
})
