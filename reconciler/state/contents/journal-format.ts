import { createHash } from 'node:crypto'
import { toJson } from '../../text/json.ts'

/** One line of a journal: the record, and the checksum that the next line continues. */
interface Line {
  record: unknown
  checksum: string
}

/** All intact lines of a journal, or where it is damaged. */
type Decoded = { lines: Line[]; droppedTail: boolean } | { damagedAt: number }

const newline = 0x0a
const prefix = /^(?<length>\d{1,10}) (?<checksum>[0-9a-f]{16}) /u
const longestPrefix = 28

/**
 * Encodes one record as a line, `LENGTH CHECKSUM JSON\n`. LENGTH is the size of the JSON in bytes. CHECKSUM covers
 * the JSON and the previous checksum, so a line cannot be lost or moved unnoticed.
 */
export const encodeLine = (record: unknown, previous: string): { bytes: Buffer; checksum: string } => {
  const json = Buffer.from(toJson(record))
  const checksum = checksumOf(previous, json)
  return {
    bytes: Buffer.concat([Buffer.from(`${json.length} ${checksum} `), json, Buffer.of(newline)]),
    checksum,
  }
}

/**
 * Decodes lines. A kill in the middle of an append leaves an incomplete last line, which is dropped. Any other
 * difference from what was written is damage.
 */
export const decodeLines = (bytes: Buffer): Decoded => {
  const lines: Line[] = []
  let offset = 0
  let checksum = ''
  while (offset < bytes.length) {
    const line = decodeLine(bytes, offset, checksum)
    if (line === undefined) {
      return couldBeTorn(bytes, offset) ? { lines, droppedTail: true } : { damagedAt: offset }
    }
    lines.push({ record: line.record, checksum: line.checksum })
    checksum = line.checksum
    offset = line.end
  }
  return { lines, droppedTail: false }
}

const decodeLine = (
  bytes: Buffer,
  offset: number,
  previous: string,
): (Line & { end: number }) | undefined => {
  const frame = frameAt(bytes, offset)
  if (frame === undefined || bytes[frame.end] !== newline) return undefined
  const json = bytes.subarray(frame.start, frame.end)
  if (checksumOf(previous, json) !== frame.checksum) return undefined
  try {
    return { record: JSON.parse(json.toString('utf8')), checksum: frame.checksum, end: frame.end + 1 }
  } catch {
    return undefined
  }
}

/**
 * A torn line is the last one, and not longer than its LENGTH says. A longer one is two lines whose newline was
 * damaged.
 */
const couldBeTorn = (bytes: Buffer, offset: number): boolean => {
  const firstNewline = bytes.indexOf(newline, offset)
  if (firstNewline !== -1 && firstNewline !== bytes.length - 1) return false
  const frame = frameAt(bytes, offset)
  return frame === undefined || bytes.length <= frame.end + 1
}

const frameAt = (
  bytes: Buffer,
  offset: number,
): { start: number; end: number; checksum: string } | undefined => {
  const found = prefix.exec(bytes.toString('latin1', offset, offset + longestPrefix))
  const { length, checksum } = found?.groups ?? {}
  if (found === null || length === undefined || checksum === undefined) return undefined
  const start = offset + found[0].length
  return { start, end: start + Number(length), checksum }
}

const checksumOf = (previous: string, json: Buffer): string =>
  createHash('sha256').update(previous).update(json).digest('hex').slice(0, 16)
