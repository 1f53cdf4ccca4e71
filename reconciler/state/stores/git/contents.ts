import type { System } from '../../machine/system.ts'
import { damaged } from '../journal-reader.ts'
import { type LockOwner, parseOwner, type UnreadableOwner } from '../../lock/lock-owner.ts'
import { notBefore } from '../../lock/ownership.ts'
import { busyOf } from '../held.ts'
import type { Snapshot, StoredJournal } from '../store.ts'
import type { GitRepository, Tip } from './repository.ts'
import type { Changes, Tree } from './tree.ts'
import { toJson } from '../../../text/json.ts'

/** The files at the tip of the branch. Any other file is left as it is. */
export const STATE = 'state.json'
export const LOCK = 'lock.json'
/** When a lock was removed whose owner may still be at work. */
export const UNLOCKED = 'unlocked.json'
export const HEADER = 'journal/header.json'
const SEGMENT = /^journal\/(?<number>\d+)\.jsonl$/u

export const segmentAt = (number: number): string => `journal/${String(number).padStart(6, '0')}.jsonl`

export const ownerAt = async (
  repository: GitRepository,
  tree: Tree,
): Promise<LockOwner | UnreadableOwner | undefined> => {
  const bytes = (await filesAt(repository, tree, [LOCK])).get(LOCK)
  return bytes && parseOwner(bytes)
}

/** Those of these files that are there, read by one git. */
const filesAt = async (
  repository: GitRepository,
  tree: Tree,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> => {
  const there = paths.filter((path) => tree.has(path))
  if (there.length === 0) return new Map()
  const contents = await repository.contents(tree, there)
  return new Map(contents.map((bytes, index) => [there[index] ?? '', bytes]))
}

export const snapshotOf = async (
  repository: GitRepository,
  { tree }: Tip,
  system: System,
): Promise<Snapshot> => {
  const { place: at } = repository.remote
  const parts = journalParts(tree, at)
  const files = await filesAt(repository, tree, [STATE, LOCK, UNLOCKED, ...parts])
  const [bytes, owner] = [files.get(STATE), files.get(LOCK)]
  return {
    state: bytes && { at, bytes },
    journal: journalOf(files, parts, at),
    owner: await busyOf(owner && parseOwner(owner), system),
    warnings: [],
    ...unlockedIn(files.get(UNLOCKED), system),
  }
}

/** Content that cannot be read counts as written now, which is never too early. */
const unlockedIn = (
  bytes: Buffer | undefined,
  { now }: Pick<System, 'now'>,
): Pick<Snapshot, 'unlockedAt' | 'landedAt'> => {
  if (bytes === undefined) return {}
  const { at = '', landed } =
    /"at":"(?<at>[^"]+)"(?:,"landed":"(?<landed>[^"]+)")?/u.exec(bytes.toString())?.groups ?? {}
  if (Number.isNaN(Date.parse(at))) return { unlockedAt: now().toISOString() }
  return { unlockedAt: at, ...(landed === undefined ? {} : { landedAt: landed }) }
}

/** The record of a removed lock; adds when it was certainly visible if nobody has recorded that yet. */
export const landedIn = async (
  repository: GitRepository,
  tree: Tree,
  system: Pick<System, 'now'>,
): Promise<Changes> => {
  const bytes = (await filesAt(repository, tree, [UNLOCKED])).get(UNLOCKED)
  const { unlockedAt: at, landedAt } = unlockedIn(bytes, system)
  if (at === undefined || landedAt !== undefined) return new Map()
  return new Map([[UNLOCKED, linesFor([{ at, landed: notBefore(at, system) }])]])
}

/** The paths of the journal's files, in the order in which they are read; none if there is no journal. */
const journalParts = (tree: Tree, at: string): readonly string[] => {
  const segments = segmentsOf(tree)
  if (!tree.has(HEADER) && segments.length === 0) return []
  const paths = [HEADER, ...segments.map((_, index) => segmentAt(index + 1))]
  // The first segment is written with the header, and each save starts again at it: our writes leave no gap.
  const missing = [...paths, segmentAt(1)].find((path) => !tree.has(path))
  if (missing !== undefined) throw damaged(at, `damaged: ${missing} is missing`)
  return paths
}

const journalOf = (
  files: ReadonlyMap<string, Buffer>,
  parts: readonly string[],
  at: string,
): StoredJournal | undefined => {
  if (parts.length === 0) return undefined
  const [header, ...records] = parts.flatMap((path) => linesOf(files.get(path) ?? Buffer.alloc(0), path, at))
  return { at, header, records, droppedTail: false }
}

/** The paths of the segments, in the order in which they were written. */
export const segmentsOf = (tree: Tree): string[] =>
  [...tree.keys()]
    .filter((path) => SEGMENT.test(path))
    .toSorted((left, right) => numberOf(left) - numberOf(right))

export const numberOf = (path: string): number => Number(SEGMENT.exec(path)?.groups?.['number'])

const linesOf = (bytes: Buffer, path: string, at: string): unknown[] => {
  const lines = bytes.toString().split('\n')
  if (lines.pop() !== '') throw damaged(at, `damaged in ${path}`)
  try {
    return lines.map((line): unknown => JSON.parse(line))
  } catch (error) {
    throw damaged(at, `damaged in ${path}`, error)
  }
}

export const linesFor = (records: readonly unknown[]): Buffer =>
  Buffer.from(records.map((record) => `${toJson(record)}\n`).join(''))
