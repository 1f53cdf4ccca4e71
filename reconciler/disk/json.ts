import { DEEPEST, findDuplicateKey, findTooDeep, soundnessOf } from '@deploymgmt/provider/api'

/** Why a text is not acceptable JSON, and where; never quotes a value. */
interface JsonFault {
  message: string
  line: number
  column: number
}

/**
 * Parses JSON like `JSON.parse`, and refuses duplicate keys, and nesting too deep to walk through.
 *
 * @param bytes the text in UTF-8, if available
 */
export const parseJson = (
  text: string,
  bytes: Uint8Array = Buffer.from(text),
): { value: unknown } | { fault: JsonFault } => {
  const isSound = soundnessOf(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      fault: faultAt(
        text,
        offsetOf(text, error),
        text.trim() === '' ? 'it is empty' : 'it is not valid JSON',
      ),
    }
  }
  if (isSound(value)) return { value }
  const deep = findTooDeep(text)
  if (deep !== undefined) return { fault: faultAt(text, deep, `it is nested deeper than ${DEEPEST} levels`) }
  const repeated = findDuplicateKey(text)
  if (repeated === undefined) return { value }
  return { fault: faultAt(text, repeated.offset, `the key ${JSON.stringify(repeated.key)} is given twice`) }
}

/** The engine's message quotes the text around the fault, so only its position is taken, if there is one. */
const offsetOf = (text: string, error: unknown): number => {
  const said = error instanceof Error ? error.message : ''
  const position = /position (\d+)/u.exec(said)?.[1]
  if (position !== undefined) return Number(position)
  return isCutOff(said) ? text.length : firstWrong(text)
}

const isCutOff = (said: string): boolean => said.includes('Unexpected end')

/** The last character of the shortest prefix that no continuation makes valid. */
const firstWrong = (text: string): number => {
  let [right, wrong] = [0, text.length]
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2)
    if (isWrong(text.slice(0, middle))) wrong = middle
    else right = middle
  }
  return right
}

const isWrong = (beginning: string): boolean => {
  try {
    JSON.parse(beginning)
    return false
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    return !isCutOff(said) && !said.includes('at position')
  }
}

const faultAt = (text: string, offset: number, message: string): JsonFault => {
  const before = text.slice(0, offset).split('\n')
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
