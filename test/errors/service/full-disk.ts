import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { clientFor, type Reply } from '../../service/support/client.ts'
import { newUser } from '../../service/support/endpoints.ts'
import { keys } from '../../service/support/fixture.ts'

const CHILD = join(import.meta.dirname, '..', '..', 'service', 'support', 'serve-child.ts')
/** Maximum size of a file in blocks of 512 bytes: a little more than the store needs at the start. */
const ROOM = 600

/** The first error answer of a service whose disk is full. */
export const withFullDisk = async (): Promise<Reply> => {
  const folder = await mkdtemp(join(tmpdir(), 'service-'))
  const script = `trap '' XFSZ; ulimit -f ${ROOM}; exec "$0" "$@"`
  const words = [process.execPath, '--no-warnings', CHILD, join(folder, 'data.sqlite')]
  const child = spawn('/bin/sh', ['-c', script, ...words], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
    await rm(folder, { recursive: true })
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { baseUrl } = JSON.parse(line) as { baseUrl: string }
  const call = clientFor(baseUrl, keys.ci)
  for (let count = 0; ; count += 1) {
    const firstName = 'x'.repeat(10_000)
    const reply = await call('POST', '/users', {
      ...newUser,
      username: `user${count}@example.com`,
      firstName,
    })
    if (reply.status !== 201) return reply
  }
}
