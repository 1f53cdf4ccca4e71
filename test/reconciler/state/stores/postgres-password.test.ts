import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nodeFiles } from '../../../../reconciler/disk/files.ts'
import { passwordFor } from '../../../../reconciler/state/stores/postgres/password.ts'

const account = { host: '/srv/sockets', port: 5432, database: 'infra', user: 'ci' }

const passwordFile = async (text: string, mode = 0o600): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-pgpass-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'pgpass.conf')
  await writeFile(path, text)
  await chmod(path, mode)
  return path
}

test.each(['/srv/sockets', 'localhost', '*'])('a line with %s is about a socket', async (host) => {
  const path = await passwordFile(`elsewhere:*:*:*:wrong\n${host}:5432:infra:ci:right\n`)
  expect(await passwordFor(account, { env: { PGPASSFILE: path }, files: nodeFiles })).toBe('right')
})

test('on Windows, where every file has the same mode, it is not checked', async () => {
  const path = await passwordFile('*:*:*:*:right\n', 0o666)
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  onTestFinished(() => platform.mockRestore())
  expect(await passwordFor(account, { env: { PGPASSFILE: path }, files: nodeFiles })).toBe('right')
})
