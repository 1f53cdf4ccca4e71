import { soundnessOf } from '@deploymgmt/provider/api'

/** Bytes of a part: of fewer, each costs more than it saves; of many more, its text is as large as what it saves. */
const PART = 1 << 18

/**
 * Reads an object of which one member has nearly all, as `JSON.stringify` writes it with an indent of two: part for
 * part, so that there is never a text of the whole beside its bytes and its value.
 *
 * Where the layout is what it looks like, each part is a list of members between two commas of that member, which is
 * not taken for granted: each part, and what stands before and behind them, has to be valid by itself.
 *
 * @param large the name of the member
 * @returns undefined for what is laid out differently, and for whatever is wrong: who reads the whole sees what
 */
export const readInParts = (bytes: Buffer, large: string): object | undefined => {
  const opening = `,\n  ${JSON.stringify(large)}: {\n`
  const at = bytes.indexOf(opening)
  const end = at === -1 ? -1 : bytes.indexOf('\n  }', at + opening.length)
  if (end === -1) return undefined
  const isSound = soundnessOf(bytes)
  try {
    const value = {
      ...parsed(bytes.subarray(0, at), '', '}'),
      [large]: membersOf(bytes.subarray(at + opening.length, end)),
      ...parsed(bytes.subarray(end + '\n  }'.length).subarray(bytes[end + 4] === COMMA ? 1 : 0), '{', ''),
    }
    return isSound(value) ? value : undefined
  } catch {
    return undefined
  }
}

const COMMA = 0x2c
const BETWEEN = '\n    },\n'

const membersOf = (bytes: Buffer): object => {
  const members = {}
  for (let begin = 0; begin < bytes.length;) {
    const between = bytes.indexOf(BETWEEN, begin + PART)
    const end = between === -1 ? bytes.length : between + BETWEEN.indexOf(',')
    const part = parsed(bytes.subarray(begin, end), '{', '}')
    // What is assigned to this name is no member.
    if (Object.hasOwn(part, '__proto__')) throw new TypeError('a member that cannot be assigned')
    Object.assign(members, part)
    begin = end + 1
  }
  return members
}

const parsed = (bytes: Uint8Array, before: string, behind: string): object =>
  JSON.parse(`${before}${DECODER.decode(bytes)}${behind}`) as object

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
