import { findDuplicateKey, findTooDeep } from '@deploymgmt/provider/api'

/** Why a text is not acceptable JSON, and where; it never quotes a value. */
export interface JsonFault {
  message: string
  line: number
  column: number
}

/** Reads JSON as `JSON.parse` does, and refuses an object that has a key twice, and what nobody could walk through. */
export const parseJson = (text: string): { value: unknown } | { fault: JsonFault } => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the text around the fault, so only its position is taken.
    const position = /position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1]
    const offset = position === undefined ? text.length : Number(position)
    return { fault: faultAt(text, offset, text.trim() === '' ? 'it is empty' : 'it is not valid JSON') }
  }
  const deep = findTooDeep(text)
  if (deep !== undefined) return { fault: faultAt(text, deep, 'it is nested deeper than 100 levels') }
  const repeated = findDuplicateKey(text)
  if (repeated === undefined) return { value }
  return { fault: faultAt(text, repeated.offset, `the key ${JSON.stringify(repeated.key)} is there twice`) }
}

const faultAt = (text: string, offset: number, message: string): JsonFault => {
  const before = text.slice(0, offset).split('\n')
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
