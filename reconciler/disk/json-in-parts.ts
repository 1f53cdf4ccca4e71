import { soundnessOf } from '@deploymgmt/provider/api'

/**
 * The size of a part in bytes: smaller parts cost more than they save; the text of much larger ones takes as much
 * memory as they save.
 */
const PART = 1 << 18

/**
 * Parses an object that consists mostly of one member, in the layout of `JSON.stringify` with an indent of two.
 * Parses it in parts, so that there is never a text of the whole in addition to its bytes and its value.
 *
 * If the layout is as assumed, each part is a list of members between two commas of that member. This is verified:
 * each part, and the text before and after them, must be valid by itself.
 *
 * @param large the name of the member
 * @returns undefined for any other layout, and for errors: parsing the whole shows them
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
    // Assigning to this name would not create a member.
    if (Object.hasOwn(part, '__proto__')) throw new TypeError('a member that cannot be assigned')
    Object.assign(members, part)
    begin = end + 1
  }
  return members
}

const parsed = (bytes: Uint8Array, before: string, behind: string): object =>
  JSON.parse(`${before}${DECODER.decode(bytes)}${behind}`) as object

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
