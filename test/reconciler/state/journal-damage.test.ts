import * as fc from 'fast-check'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { JournalCorruptError } from '../../../reconciler/errors/index.ts'
import type { JournalRecord } from '../../../reconciler/state/index.ts'
import { journalPathIn, temporaryFolder } from './support/folder.ts'
import { openJournal, readJournal } from './support/journal.ts'
import { at, headerOf, intentFor, put, stateWith } from './support/samples.ts'
import { anyText } from '../../support/any-text.ts'
import { holds } from '../../support/soak.ts'

const header = headerOf(stateWith())

const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    type: fc.constant('intent' as const),
    n: fc.nat(),
    address: anyText(),
    kind: anyText(),
    method: fc.constant('POST' as const),
    detail: fc.constant(intentFor('things.a').detail),
    path: anyText(),
    at: fc.constant(at),
  }),
  fc.record({
    type: fc.constant('effects' as const),
    at: fc.constant(at),
    effects: fc.array(
      anyText().map((text) => put('things.a', text)),
      { maxLength: 3 },
    ),
  }),
)
const records = fc.array(record, { minLength: 1, maxLength: 8 })

/** Writes the records, and returns where each line ends, beginning with the header's. */
const written = async (path: string, entries: readonly JournalRecord[]) => {
  const journal = openJournal(path, header, undefined)
  await Promise.all(entries.map((entry) => journal.append(entry)))
  await journal.close()
  const bytes = await readFile(path)
  const ends = [...bytes.keys()].filter((index) => bytes[index] === 0x0a).map((index) => index + 1)
  await rm(path)
  return { bytes, ends }
}

const codeOf = (error: unknown) => (error instanceof JournalCorruptError ? error.code : error)
const asRead = (entries: readonly JournalRecord[]): unknown => JSON.parse(JSON.stringify(entries))

test('a journal reads back as it was written, whatever the values', async () => {
  const path = journalPathIn(await temporaryFolder())
  await holds(30, [records], async (entries) => {
    const { bytes, ends } = await written(path, entries)
    expect(ends).toHaveLength(entries.length + 1)
    await writeFile(path, bytes)
    expect((await readJournal(path))?.entries).toStrictEqual(asRead(entries))
  })
})

test('a truncation anywhere loses the record that it cuts, and those cut off, and no other', async () => {
  const path = journalPathIn(await temporaryFolder())
  await holds(40, [records, fc.nat()], async (entries, where) => {
    const { bytes, ends } = await written(path, entries)
    const first = ends[0] ?? 0
    const length = first + (where % (bytes.length - first))
    await writeFile(path, bytes.subarray(0, length))
    const whole = ends.filter((end) => end <= length)
    const read = await readJournal(path).catch(codeOf)
    // No crash leaves a journal without a complete record.
    const left = expect.objectContaining({
      entries: asRead(entries.slice(0, whole.length - 1)),
      droppedTail: whole.at(-1) !== length,
    })
    expect(read).toStrictEqual(whole.length === 1 ? 'DM-JOURNAL-CORRUPT' : left)
  })
})

test('a flipped bit before the last record is refused', async () => {
  const path = journalPathIn(await temporaryFolder())
  await holds(60, [records, fc.nat(), fc.nat(7)], async (entries, where, bit) => {
    const { bytes, ends } = await written(path, entries)
    const place = where % (ends.at(-2) ?? 1)
    bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
    await writeFile(path, bytes)
    await expect(readJournal(path)).rejects.toBeInstanceOf(JournalCorruptError)
  })
})

test('a flipped bit in the last record drops it or is refused, and never alters it', async () => {
  const path = journalPathIn(await temporaryFolder())
  await holds(40, [records, fc.nat(), fc.nat(7)], async (entries, where, bit) => {
    const { bytes, ends } = await written(path, entries)
    const start = ends.at(-2) ?? 0
    const place = start + (where % (bytes.length - start))
    bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
    await writeFile(path, bytes)
    const read = await readJournal(path).catch(codeOf)
    const torn = expect.objectContaining({ entries: asRead(entries.slice(0, -1)), droppedTail: true })
    expect(['DM-JOURNAL-CORRUPT', torn]).toContainEqual(read)
  })
})

test('a line that is missing from the middle is refused', async () => {
  const path = journalPathIn(await temporaryFolder())
  await holds(30, [fc.array(record, { minLength: 2, maxLength: 6 }), fc.nat()], async (entries, which) => {
    const { bytes, ends } = await written(path, entries)
    const line = which % (entries.length - 1)
    const missing = [ends[line] ?? 0, ends[line + 1] ?? 0] as const
    await writeFile(path, Buffer.concat([bytes.subarray(0, missing[0]), bytes.subarray(missing[1])]))
    const read = await readJournal(path).catch(codeOf)
    // A line after a missing one does not fit. Only if it is the last of several does it look torn.
    const isRefused = line < entries.length - 2 || line === 0
    const torn = expect.objectContaining({ entries: asRead(entries.slice(0, line)), droppedTail: true })
    expect(read).toStrictEqual(isRefused ? 'DM-JOURNAL-CORRUPT' : torn)
  })
})
