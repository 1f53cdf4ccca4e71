import { isDeepStrictEqual } from 'node:util'
import { showValue } from '../text/values.ts'
import type { SaidField } from './document.ts'

/** The two values of a field, as they are told where there is little room: nothing that differs hides behind a cut. */
export const valuePair = (field: SaidField, room: number): readonly [string, string] => {
  const { before, after, note } = field
  const say = (value: unknown) =>
    (value === null || value === undefined) && note !== undefined ? '(not known)' : showValue(value)
  const [was, is] = [say(before), say(after)]
  if (was.length <= room && is.length <= room) return [was, is]
  if (Array.isArray(before) && Array.isArray(after)) {
    const gone = before.filter((item) => lacks(after, item))
    const come = after.filter((item) => lacks(before, item))
    const kept = after.length - come.length
    const rest = kept === 0 ? '' : `${kept} as before`
    return [only(gone, rest), only(come, rest)]
  }
  const from = was.slice(0, room) === is.slice(0, room) ? Math.max(0, common(was, is) - 10) : 0
  return from === 0 ? [was, is] : [`…${was.slice(from)}`, `…${is.slice(from)}`]
}

const only = (items: readonly unknown[], words: string): string =>
  [words, ...(items.length === 0 ? [] : [showValue(items)])].filter((part) => part !== '').join(', and ')

const lacks = (items: readonly unknown[], item: unknown): boolean =>
  !items.some((other) => isDeepStrictEqual(other, item))

const common = (a: string, b: string): number => {
  let index = 0
  while (index < a.length && a[index] === b[index]) index += 1
  return index
}
