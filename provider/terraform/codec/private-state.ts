import { isDeepStrictEqual } from 'node:util'
import { mapValues, pickBy, type Identity, type Values } from '../../core/index.ts'
import type { RecordedResource, Records } from '../../engine/index.ts'
import { isRecord } from '../wire/mismatch.ts'

/** What Terraform keeps for us beside a resource's attributes; nothing secret. */
export type PrivateState = PrivateMemory | NoMemory

export type PrivateMemory = Imported | Remembered

/** Terraform passed no private state at all, though ours is never empty. */
interface NoMemory {
  readonly is: 'none'
}

/** The thing was imported, and not applied since: nothing of it is recorded. */
interface Imported extends Seeing {
  readonly is: 'imported'
  /** The time of the import, ISO 8601. */
  readonly importedAt: string
  /** It was not read since: the first read warns of what no read can show, and tells whether anything exists. */
  readonly untold?: true
}

export interface Remembered extends Seeing {
  readonly is: 'remembered'
  /** By address. */
  readonly records: Records
  /** Keys of things that a selector stood for when it was applied, and no longer matches: they are to be released. */
  readonly leaving?: readonly string[]
  /** The memory was lost, and the attributes replace it. */
  readonly lost?: true
}

interface Seeing {
  /** Ids of foreign events that the last read told: a plan after it shows what they may have changed. */
  readonly seen?: readonly string[]
}

export const recordsIn = (state: PrivateState): Records => (state.is === 'remembered' ? state.records : {})

export const isUntold = (state: PrivateState): boolean => state.is === 'imported' && state.untold === true

export const isLost = (state: PrivateState): boolean => state.is === 'remembered' && state.lost === true

export const readPrivate = (bytes: Uint8Array): PrivateState => {
  if (bytes.length === 0) return { is: 'none' }
  const written = parsed(textOf(bytes))
  if (!isWritten(written)) return LOST
  const { records = {}, importedAt, untold, ...rest } = written
  if (importedAt === undefined || Object.keys(records).length > 0)
    return { is: 'remembered', records: mapValues(records, unfolded), ...rest }
  return { is: 'imported', importedAt, ...(untold === undefined ? {} : { untold }), ...rest }
}

/** The memory is lost, or this provider did not write it: the attributes replace it. */
export const LOST: PrivateMemory = { is: 'remembered', records: {}, lost: true }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isWritten = (read: unknown): read is Partial<Written> =>
  isRecord(read) &&
  isRecord(read['records'] ?? {}) &&
  Object.values(read['records'] ?? {}).every(
    (each) => isRecord(each) && isRecord(each['identity']) && isRecord(each['applied']),
  )

export const writePrivate = (state: PrivateState): Uint8Array => {
  const { is: _, ...rest } = state
  const written: Written = { ...rest, records: mapValues(recordsIn(state), folded) }
  return Buffer.from(JSON.stringify(written))
}

/**
 * A record without duplicate values. To plan a block of many resources, Terraform copies all their private states for
 * each of them.
 */
type Folded = Omit<RecordedResource, 'adopted'> & { readonly adopted: Values | 'answer' | null }

/** The written form of a private state; its keys tell which kind it is. */
interface Written extends Omit<Remembered, 'is' | 'records'>, Partial<Omit<Imported, 'is'>> {
  readonly records: Readonly<Record<string, Folded>>
}

const folded = (record: RecordedResource): Folded => {
  const { identity, applied, answer, adopted } = record
  return {
    ...record,
    applied: unnamed(identity, applied),
    answer: answer && unnamed(identity, answer),
    adopted: isDeepStrictEqual(adopted, answer) ? 'answer' : adopted && unnamed(identity, adopted),
  }
}

const unfolded = (record: Folded): RecordedResource => {
  const { identity, applied } = record
  const answer = record.answer && named(identity, record.answer)
  const adopted = record.adopted === 'answer' ? answer : record.adopted && named(identity, record.adopted)
  return { ...record, applied: named(identity, applied), answer, adopted }
}

/** Replaces all parts of the thing's identity among values; no field has this name. */
const NAME = '*'

const unnamed = (identity: Identity, values: Values): Values =>
  Object.entries(identity).every(([key, value]) => values[key] === value)
    ? { [NAME]: true, ...pickBy(values, (_, key) => identity[key] === undefined) }
    : values

const named = (identity: Identity, { [NAME]: isNamed, ...values }: Values): Values =>
  isNamed === true ? { ...identity, ...values } : values

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('utf8')
