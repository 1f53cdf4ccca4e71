import { Readable, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { withClient } from '../../reconciler/commands/service/with-client.ts'
import { InternalError } from '../../reconciler/errors/index.ts'
import { concealingIo } from '../../reconciler/io.ts'
import { PROJECT } from '../support/installation.ts'
import { begin, writesIn } from '../support/scene.ts'

const OPTIONS = { file: [], var: [], varFile: [], format: 'text', target: [], concurrency: 1, color: false }

it('a command that holds the lock of no state writes nothing', async () => {
  const here = await begin()
  const io = await concealingIo({
    env: here.env,
    cwd: here.folder,
    stdin: () => Readable.from([]),
    stdout: new Writable(),
    stderr: new Writable(),
    now: () => new Date(),
    onInterrupt: () => () => undefined,
  })
  const path = `/groups/${PROJECT}/maintenanceWindows`
  const body = {
    alertTypeNames: ['HOST'],
    startDate: '2035-01-06T02:00:00Z',
    endDate: '2035-01-06T04:00:00Z',
  }
  const writing = withClient(io, OPTIONS, (client) => client.send('POST', path, body))
  await expect(writing).rejects.toBeInstanceOf(InternalError)
  expect(await writesIn(here)).toEqual([])
})
