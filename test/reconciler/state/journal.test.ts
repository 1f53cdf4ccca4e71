import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { JournalCorruptError, StateVersionError, StateWriteError } from '../../../reconciler/errors/index.ts'
import { journalPath, type JournalRecord, nodeFiles } from '../../../reconciler/state/index.ts'
import { encodeLine } from '../../../reconciler/state/contents/journal-format.ts'
import { fillableDisk, filesWith, systemError } from './support/faults.ts'
import { journalPathIn, temporaryFolder } from './support/folder.ts'
import { type Journal, openJournal, readJournal } from './support/journal.ts'
import { EVERY_OBEYED, OBEYED } from '../../support/obeyed.ts'
import { at, headerOf, intentFor, put, stateWith } from './support/samples.ts'

const header = headerOf(stateWith())

const intent = (n: number): JournalRecord => ({ type: 'intent', n, at, ...intentFor(`things.${n}`) })

const answer = (n: number): JournalRecord => ({
  type: 'answer',
  n,
  at,
  status: 201,
  outcome: 'done',
  effects: [put(`things.${n}`)],
})

const journal = async (files = nodeFiles): Promise<Journal> =>
  openJournal(journalPathIn(await temporaryFolder()), header, undefined, { files })

const entriesOf = async (path: string) => (await readJournal(path))?.entries

test('a journal lies beside its state', () => {
  expect(journalPath('deploymgmt.state.json')).toBe('deploymgmt.state.journal')
  expect(journalPath('/x/local.state')).toBe('/x/local.state.journal')
})

test('no file is made before the first record, and it is for its owner alone', async () => {
  const open = await journal()
  expect(await readJournal(open.path)).toBeUndefined()
  await open.append(intent(1))
  expect(await readJournal(open.path)).toStrictEqual({
    path: open.path,
    header,
    entries: [intent(1)],
    openIntents: [intent(1)],
    droppedTail: false,
    warnings: [],
  })
  expect((await stat(open.path)).mode & 0o077).toBe(0)
  await open.close()
})

test('characters that an editor obeys are escaped in it', async () => {
  const open = await journal()
  const told = [intent(1), { type: 'unknown', n: 1, at, error: EVERY_OBEYED }] satisfies JournalRecord[]
  await open.append(...told)
  expect(await readFile(open.path, 'utf8')).not.toMatch(OBEYED)
  expect(await entriesOf(open.path)).toStrictEqual(told)
  await open.close()
})

test('records that come up together share one sync, and keep their order', async () => {
  let syncs = 0
  const files = filesWith({
    create: async (path) => {
      const file = await nodeFiles.create(path)
      return {
        ...file,
        sync: () => {
          syncs += 1
          return file.sync()
        },
      }
    },
  })
  const open = await journal(files)
  const records = Array.from({ length: 50 }, (_, index) => intent(index + 1))
  await Promise.all(records.map((record) => open.append(record)))
  expect(syncs).toBe(1)
  expect(await entriesOf(open.path)).toStrictEqual(records)
  await open.close()
})

test('records that come up together can be more than a call has arguments', async () => {
  const open = await journal()
  const record: JournalRecord = { type: 'effects', at, effects: [] }
  await Promise.all(Array.from({ length: 130_000 }, () => open.append(record)))
  await open.close()
  expect(await entriesOf(open.path)).toHaveLength(130_000)
})

test('a journal that was read goes on where it ended', async () => {
  const first = await journal()
  await first.append(intent(1))
  await first.close()
  const second = openJournal(first.path, header, await readJournal(first.path))
  await second.append(answer(1))
  await second.append(intent(2))
  await second.close()
  expect(await entriesOf(first.path)).toStrictEqual([intent(1), answer(1), intent(2)])
})

test('a torn last record is dropped, and does not damage what is appended later', async () => {
  const first = await journal()
  await first.append(intent(1))
  await first.append(intent(2))
  await first.close()
  const bytes = await readFile(first.path)
  await writeFile(first.path, bytes.subarray(0, -5))
  const torn = await readJournal(first.path)
  expect(torn).toMatchObject({ droppedTail: true, entries: [intent(1)] })
  const second = openJournal(first.path, header, torn)
  await second.append(answer(1))
  await second.close()
  expect(await readJournal(first.path)).toMatchObject({
    droppedTail: false,
    entries: [intent(1), answer(1)],
  })
})

test('a restart keeps what it is told to keep, under a new header', async () => {
  const open = await journal()
  await open.append(intent(1))
  await open.append(intent(2))
  const next = headerOf(stateWith({}, 2))
  await open.restart(next, (records) => records.slice(1))
  await open.append(answer(2))
  expect(await readJournal(open.path)).toMatchObject({
    header: next,
    entries: [intent(2), answer(2)],
  })
  await open.close()
})

test('a journal that is to keep nothing is gone, and comes back with the next record', async () => {
  const open = await journal()
  await open.append(intent(1))
  await open.restart(header, () => [])
  expect(await readJournal(open.path)).toBeUndefined()
  await open.append(intent(2))
  expect(await entriesOf(open.path)).toStrictEqual([intent(2)])
  await open.close()
})

test('an intent that could not be written is not in the journal later, an answer is', async () => {
  const disk = fillableDisk()
  const open = await journal(disk.files)
  await open.append(intent(1))
  disk.full = true
  await expect(open.append(answer(1))).rejects.toBeInstanceOf(StateWriteError)
  await expect(open.append(intent(2))).rejects.toBeInstanceOf(StateWriteError)
  expect(await readJournal(open.path)).toMatchObject({ entries: [intent(1)], droppedTail: true })
  disk.full = false
  await open.append(intent(3))
  expect(await entriesOf(open.path)).toStrictEqual([intent(1), answer(1), intent(3)])
  await open.close()
})

test('an answer that is owed is written when closing, if there is room again', async () => {
  const disk = fillableDisk()
  const open = await journal(disk.files)
  await open.append(intent(1))
  disk.full = true
  await expect(open.append(answer(1))).rejects.toBeInstanceOf(StateWriteError)
  disk.full = false
  await open.close()
  expect(await entriesOf(open.path)).toStrictEqual([intent(1), answer(1)])
})

test('after a failed sync nothing of the old file is relied on', async () => {
  let failing = false
  const files = filesWith({
    create: async (path) => {
      const file = await nodeFiles.create(path)
      return { ...file, sync: () => (failing ? Promise.reject(systemError('EIO')) : file.sync()) }
    },
  })
  const open = await journal(files)
  await open.append(intent(1))
  const before = (await stat(open.path)).ino
  failing = true
  await expect(open.append(answer(1))).rejects.toThrow('the disk reports an error (EIO)')
  failing = false
  await open.append(intent(2))
  expect((await stat(open.path)).ino).not.toBe(before)
  expect(await entriesOf(open.path)).toStrictEqual([intent(1), answer(1), intent(2)])
  await open.close()
})

test('no temporary file stays behind', async () => {
  const folder = await temporaryFolder()
  const open = openJournal(journalPathIn(folder), header, undefined)
  await open.append(intent(1))
  await open.restart(header, (records) => [...records])
  await open.close()
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.journal'])
})

test('a journal of a later version is refused', async () => {
  const path = journalPathIn(await temporaryFolder())
  await writeFile(path, encodeLine({ ...header, version: 2 }, '').bytes, { mode: 0o600 })
  await expect(readJournal(path)).rejects.toBeInstanceOf(StateVersionError)
})

test.each([
  ['surprise', { type: 'surprise' }],
  ['disown twice', { type: 'effects', at, effects: [put('things.a'), { op: 'disown twice' }] }],
])('a whole record with %j, which a later version has written, is no damage', async (word, record) => {
  const path = journalPathIn(await temporaryFolder())
  await writeFile(path, Buffer.concat(linesOf([header, intent(1), record])), { mode: 0o600 })
  await expect(readJournal(path)).rejects.toMatchObject({
    code: 'DM-STATE-VERSION',
    message: `the journal has ${JSON.stringify(word)} in line 3, which this version of deploymgmt does not know`,
    hint: expect.stringContaining('Run the version of deploymgmt that wrote the file'),
  })
})

const linesOf = (records: readonly unknown[]): Buffer[] => {
  let checksum = ''
  return records.map((record) => {
    const line = encodeLine(record, checksum)
    checksum = line.checksum
    return line.bytes
  })
}

/** Two complete lines without the line break between them, at the end of the file. */
const damagedNewline = (): Buffer => {
  const [first, second, third] = linesOf([header, intent(1), intent(2)])
  const cut = (second ?? Buffer.alloc(0)).subarray(0, -1)
  return Buffer.concat([first ?? cut, cut, Buffer.from('*'), third ?? cut])
}

test.each([
  ['is empty', Buffer.alloc(0)],
  ['has a header alone', encodeLine(header, '').bytes],
  ['has half of its first record', Buffer.concat(linesOf([header, intent(1)])).subarray(0, -9)],
  ['has a damaged newline before its last record', damagedNewline()],
  ['has no header', encodeLine(intent(1), '').bytes],
  ['has half a header', encodeLine(header, '').bytes.subarray(0, 40)],
  ['holds a record without a type', Buffer.concat(linesOf([header, { n: 1 }]))],
  [
    'has lost a record',
    Buffer.concat(
      linesOf([header, intent(1), intent(2)]).toSpliced(1, 1, Buffer.alloc(0), Buffer.from('\n')),
    ),
  ],
])('a journal that %s is refused', async (_, bytes) => {
  const path = journalPathIn(await temporaryFolder())
  await writeFile(path, bytes, { mode: 0o600 })
  await expect(readJournal(path)).rejects.toBeInstanceOf(JournalCorruptError)
})

test.each([
  [{ type: 1 }, '$.type has to be one of intent, answer, '],
  [{ ...intent(2), n: -1 }, '$.n has to be a whole number from 0'],
  [{ ...intent(2), detail: { fields: [] } }, '$.detail.expected has to be an object'],
  [
    { type: 'effects', at, effects: [put('things.a'), { op: 'drop' }] },
    '$.effects[1].address has to be a string',
  ],
])('a journal with %j in its third line names the place', async (record, words) => {
  const path = journalPathIn(await temporaryFolder())
  await writeFile(path, Buffer.concat(linesOf([header, intent(1), record])), { mode: 0o600 })
  await expect(readJournal(path)).rejects.toMatchObject({
    message: expect.stringContaining(`damaged in line 3: ${words}`),
  })
})

test('a journal with a body that is nested too deep to walk through is refused', async () => {
  const path = journalPathIn(await temporaryFolder())
  const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)])
  const lines = linesOf([header, { ...intent(1), body: deep(200) }])
  await writeFile(path, Buffer.concat(lines), { mode: 0o600 })
  await expect(readJournal(path)).rejects.toMatchObject({
    code: JournalCorruptError.code,
    message: expect.stringContaining('damaged in line 2: it is nested deeper than 100 levels'),
  })
})

test.skipIf(process.platform === 'win32')('a looser mode of the journal is warned of', async () => {
  const open = await journal()
  await open.append(intent(1))
  await open.close()
  await chmod(open.path, 0o640)
  expect((await readJournal(open.path))?.warnings).toStrictEqual([
    `The journal ${open.path} has mode 0640, which lets others in: run chmod 600 on it.`,
  ])
})
