import { ID_LENGTH, ID_PATTERN, USUAL_ID_PATTERN } from '../patterns.ts'

/** Whether a text can be an id: one segment of a path. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && (isUsualId(value) || (ID.test(value) && isAtMost(value, ID_LENGTH)))

const ID = new RegExp(ID_PATTERN, 'u')
const USUAL_ID = new RegExp(USUAL_ID_PATTERN, 'u')

/** Whether a text has the form of all known ids: a number of this form was meant as an id. */
export const isUsualId = (text: string): boolean => USUAL_ID.test(text)

/** An id in the service's spelling: most services treat capitals as the same id, but here it would be another one. */
export const asSpelled = (id: string): string =>
  // Most ids have no capitals, and lowering them would copy each.
  /[A-F]/.test(id) && isUsualId(id) ? id.toLowerCase() : id

/** A character takes one code unit or two, so most texts need not be split. */
const isAtMost = (text: string, length: number): boolean =>
  text.length <= length || Array.from(text).length <= length
