import { readdir, readFile, stat, symlink, unlink as unlinkFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LockedError, LockMismatchError, StateWriteError } from '../../../reconciler/errors/index.ts'
import {
  acquireLock,
  currentOwner,
  type LockOwner,
  lockPath,
  nodeFiles,
  thisHost,
  unlock,
} from '../../../reconciler/state/index.ts'
import { claimPath } from '../../../reconciler/state/lock/lock-files.ts'
import { filesWith, fillableDisk, systemError } from './support/faults.ts'
import { statePathIn, temporaryFolder } from './support/folder.ts'
import { deadPid, hostWith, ownerOf } from './support/hosts.ts'
import { at } from './support/samples.ts'

const info = { command: 'apply', at }
/** Process 1 is ours, 2 is another running one; all others have ended. */
const host = hostWith(1, (pid) => pid === 1 || pid === 2)

const lockedBy = async (owner: LockOwner | string) => {
  const folder = await temporaryFolder()
  const path = statePathIn(folder)
  await writeFile(lockPath(path), typeof owner === 'string' ? owner : JSON.stringify(owner))
  return { folder, path }
}

test('a lock names its owner, is for its owner alone, and goes with its release', async () => {
  const folder = await temporaryFolder()
  const path = statePathIn(folder)
  const lock = await acquireLock(path, info)
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json.lock'])
  expect(JSON.parse(await readFile(lockPath(path), 'utf8'))).toMatchObject({
    id: lock.id,
    pid: process.pid,
    host: thisHost.name,
    ...info,
  })
  expect((await stat(lockPath(path))).mode & 0o077).toBe(0)
  expect(lock.notice).toBeUndefined()
  await lock.release()
  await lock.release()
  expect(await readdir(folder)).toStrictEqual([])
})

test('where the disk is full, nothing is left of a lock', async () => {
  const folder = await temporaryFolder()
  const disk = fillableDisk()
  disk.full = true
  await expect(acquireLock(statePathIn(folder), info, { files: disk.files })).rejects.toBeInstanceOf(
    StateWriteError,
  )
  expect(await readdir(folder)).toStrictEqual([])
})

test('a lock that is held is refused, naming the owner and the way out', async () => {
  const { folder, path } = await lockedBy(ownerOf(2))
  const error: unknown = await acquireLock(path, info, { host }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(LockedError)
  expect(error).toMatchObject({
    message: 'the state is locked by "apply" (process 2 on here, since 2026-11-20 12:00:00 UTC)',
    hint: 'Wait until it has ended, for example with --lock-timeout 5m. If it has certainly ended, run: deploymgmt state unlock id-of-2',
  })
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json.lock'])
})

test.each([
  ['a process that has ended', {}],
  ['a process whose id belongs to another one now', { pid: 2, started: 'long ago' }],
])('the lock of %s is taken over with a notice', async (_, change) => {
  const { folder, path } = await lockedBy(ownerOf(3, change))
  const lock = await acquireLock(path, info, { host })
  expect(lock.notice).toMatch(
    /^Took over the lock of "apply" \(process \d on here, since .*no longer running\.$/u,
  )
  expect(await currentOwner(path, { host })).toMatchObject({ id: lock.id, pid: 1 })
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json.lock'])
  await lock.release()
  expect(await readdir(folder)).toStrictEqual([])
})

test.each([
  ['another host', { host: 'there' }],
  ['another machine of the same name', { machine: 'machine-2', boot: 'boot-0' }],
  ['an earlier boot, which a copied machine has too', { boot: 'boot-0' }],
  ['another container, whose process ids mean nothing here', { pidSpace: 'space-2' }],
])('the lock of %s is never taken over, however old', async (_, change) => {
  const { path } = await lockedBy(ownerOf(3, { ...change, at: '1999-01-01T00:00:00.000Z' }))
  await expect(acquireLock(path, info, { host })).rejects.toBeInstanceOf(LockedError)
})

test('where the system tells no boot and no start time, the process id decides', async () => {
  const { boot: _boot, started: _started, ...little } = ownerOf(3)
  const bare = { ...host, boot: undefined, isRunning: () => Promise.resolve(false) }
  const { path } = await lockedBy(little)
  await expect(acquireLock(path, info, { host: bare })).resolves.toHaveProperty('notice')
})

test('a real process that has ended is recognised, and so is a process id used again', async () => {
  expect(await thisHost.isRunning(deadPid, undefined)).toBe(false)
  const started = await thisHost.started(process.pid)
  expect(await thisHost.isRunning(process.pid, started)).toBe(true)
  // Without start times, only the id decides.
  expect(await thisHost.isRunning(process.pid, `${started}0`)).toBe(started === undefined)
})

test('a taker that was killed halfway is followed by the next one', async () => {
  const { folder, path } = await lockedBy(ownerOf(3))
  const lock = lockPath(path)
  await writeFile(claimPath(lock, 'id-of-3'), JSON.stringify(ownerOf(4)))
  await writeFile(`${lock}.half.tmp`, '{"id":')
  const { id } = await acquireLock(path, info, { host })
  expect(await currentOwner(path, { host })).toMatchObject({ id })
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json.lock'])
})

test('a taker that is still at it is respected', async () => {
  const { path } = await lockedBy(ownerOf(3))
  await writeFile(claimPath(lockPath(path), 'id-of-3'), JSON.stringify(ownerOf(2)))
  await expect(acquireLock(path, info, { host })).rejects.toThrow('process 2 on here')
})

test.each(['', '{"id":"x"', '{"id":"../../x","pid":1,"host":"h","command":"c","at":"t"}', 'null'])(
  'the unreadable lock %j is respected, and can be removed by the id that the error names',
  async (text) => {
    const { folder, path } = await lockedBy(text)
    const error: unknown = await acquireLock(path, info, { host }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(LockedError)
    const id = /state unlock (unreadable-[0-9a-f]{12})$/u.exec(
      String(error instanceof LockedError && error.hint),
    )?.[1]
    await unlock(path, id ?? '')
    expect(await readdir(folder)).toStrictEqual([])
  },
)

test('a taker whose finished file was swept away tries again', async () => {
  const path = statePathIn(await temporaryFolder())
  let sweeps = 1
  const files = filesWith({
    link: async (from, to) => {
      if (sweeps > 0) await unlinkFile(from)
      sweeps -= 1
      return nodeFiles.link(from, to)
    },
  })
  const lock = await acquireLock(path, info, { files })
  expect(await currentOwner(path)).toMatchObject({ id: lock.id })
  await lock.release()
})

test('unlock removes the lock with that id', async () => {
  const { folder, path } = await lockedBy(ownerOf(2, { host: 'there' }))
  await unlock(path, 'id-of-2')
  expect(await readdir(folder)).toStrictEqual([])
})

test('unlock refuses another id, names the right one, and refuses where there is no lock', async () => {
  const { folder, path } = await lockedBy(ownerOf(2))
  const other = unlock(path, 'id-of-1')
  await expect(other).rejects.toBeInstanceOf(LockMismatchError)
  await expect(other).rejects.toThrow('the lock there is id-of-2, held by "apply" (process 2 on here')
  expect(await readdir(folder)).toHaveLength(1)
  await expect(other).rejects.toMatchObject({
    hint: 'If the command that holds it has certainly ended, run: deploymgmt state unlock id-of-2',
  })
  const none = unlock(statePathIn(await temporaryFolder()), 'abc')
  await expect(none).rejects.toBeInstanceOf(LockMismatchError)
  await expect(none).rejects.toMatchObject({
    message: 'there is no lock: the state is not locked',
    hint: expect.not.stringContaining('give the id'),
  })
})

test('a release leaves the lock of somebody else alone', async () => {
  const path = statePathIn(await temporaryFolder())
  const lock = await acquireLock(path, info)
  await unlock(path, lock.id)
  const other = await acquireLock(path, info)
  await lock.release()
  expect(await currentOwner(path)).toMatchObject({ id: other.id })
})

test.each(['EPERM', 'ENOTSUP', 'ENOSYS'])(
  'a file system without links (%s) still has one owner',
  async (code) => {
    const { folder, path } = await lockedBy(ownerOf(3))
    const files = filesWith({ link: () => Promise.reject(systemError(code)) })
    const lock = await acquireLock(path, info, { host, files })
    expect(lock.notice).toBeDefined()
    await expect(acquireLock(path, info, { host, files })).rejects.toBeInstanceOf(LockedError)
    await lock.release()
    await (await acquireLock(path, info, { host, files })).release()
    expect(await readdir(folder)).toStrictEqual([])
  },
)

test.skipIf(process.platform === 'win32')('all names of one state share one lock', async () => {
  const folder = await temporaryFolder()
  await writeFile(statePathIn(folder), '{}')
  await symlink('deploymgmt.state.json', join(folder, 'alias.json'))
  const lock = await acquireLock(statePathIn(folder), info)
  await expect(acquireLock(join(folder, 'alias.json'), info)).rejects.toBeInstanceOf(LockedError)
  await lock.release()
})

test('a lock that cannot be written is an error with its path', async () => {
  const nowhere = join(await temporaryFolder(), 'nowhere', 'state.json')
  const acquiring = acquireLock(nowhere, info)
  await expect(acquiring).rejects.toBeInstanceOf(StateWriteError)
  await expect(acquiring).rejects.toMatchObject({ where: `${nowhere}.lock` })
})

test.skipIf(process.platform === 'win32')(
  'a lock file that is a link to nothing is named as what it is',
  async () => {
    const path = statePathIn(await temporaryFolder())
    await symlink('/nowhere/lock', lockPath(path))
    const named = {
      code: StateWriteError.code,
      message: 'cannot write the lock: it is a symbolic link that leads to nothing',
      where: lockPath(path),
      hint: 'Remove the link if no other command is using this state.',
    }
    await expect(acquireLock(path, info)).rejects.toMatchObject(named)
    await expect(unlock(path, 'x')).rejects.toMatchObject(named)
  },
)
