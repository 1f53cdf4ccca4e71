import { isDeepStrictEqual } from 'node:util'
import { showValue, type ValueOptions } from '../../text/values.ts'
import { ofField, type FieldOptions } from '../document/field-type.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import type { ReportedDriftedField, ReportedField } from '../document/reported.ts'

export const NOT_KNOWN = '(not known)'

/**
 * One side of a field. A value that was never read is not the same as none, and an event can contain the new value.
 */
export const sideOf = (
  value: unknown,
  { path, note, told }: Pick<ReportedDriftedField, 'path' | 'note' | 'told'>,
  fieldOptions: FieldOptions,
): string => {
  const options = ofField(fieldOptions, path)
  if ((value !== null && value !== undefined) || note === undefined) return showValue(value, options)
  if (told === undefined) return NOT_KNOWN
  const { eventTypeName, invited } = told
  const says = [
    ...(told.value === undefined ? [] : [showValue(told.value, options)]),
    ...(invited === undefined ? [] : [`invited as ${showValue(invited, options)}`]),
  ]
  return `(not known; ${eventTypeName} says: ${says.join('; ')})`
}

/** The two values of a field for little room: no cut hides a difference. */
export const valuePair = (
  field: ReportedDriftedField,
  room: number,
  options: FieldOptions,
): readonly [string, string] => {
  const [was, is] = valueParts(field, room, options)
  return [was.join(', '), is.join(', ')]
}

/** The same, with the items of long lists apart: each of them can be shown in full. */
export const valueParts = (
  field: ReportedDriftedField,
  room: number,
  options: FieldOptions,
): readonly [readonly string[], readonly string[]] => {
  const { before, after } = field
  const [was, is] = [sideOf(before, field, options), sideOf(after, field, options)]
  if (was.length <= room && is.length <= room) return [[was], [is]]
  const shown = ofField(options, field.path)
  if (Array.isArray(before) && Array.isArray(after)) {
    const gone = before.filter((item) => lacks(after, item))
    const come = after.filter((item) => lacks(before, item))
    const kept = after.length - come.length
    const rest = kept === 0 ? '' : `${kept} as before`
    // Otherwise the same items have another order, or another number.
    if (gone.length + come.length > 0) return [only(gone, rest, shown), only(come, rest, shown)]
  } else if (Array.isArray(before) || Array.isArray(after)) {
    const apart = (value: unknown, text: string) => (Array.isArray(value) ? only(value, '', shown) : [text])
    return [apart(before, was), apart(after, is)]
  }
  const [one, other] = was.slice(0, room) === is.slice(0, room) ? fromWhereTheyDiffer(was, is) : [was, is]
  return [[one], [other]]
}

const only = (items: readonly unknown[], words: string, options: ValueOptions): readonly string[] => {
  const [first, ...others] = items.map((item) => showValue([item], options))
  if (first === undefined) return [words]
  return [words === '' ? first : `${words}, and ${first}`, ...others]
}

export const lacks = (items: readonly unknown[], item: unknown): boolean =>
  !items.some((other) => isDeepStrictEqual(other, item))

/** Both from shortly before the difference: their common beginning is longer than the available room. */
export const fromWhereTheyDiffer = (was: string, is: string): readonly [string, string] => {
  const from = Math.max(0, common(was, is) - 10)
  return from === 0 ? [was, is] : [endOf(was, from), endOf(is, from)]
}

/** Half of a surrogate pair is left out. */
const endOf = (text: string, from: number): string => `…${text.slice(from).replace(/^[\uDC00-\uDFFF]/, '')}`

const common = (a: string, b: string): number => {
  let index = 0
  while (index < a.length && a[index] === b[index]) index += 1
  return index
}

/** Whether the value before was never read, which is not the same as none. A note tells that to `sideOf`. */
export const isUnseen = (
  { before, note }: ReportedField,
  { action, evidence }: Pick<ReportedChange, 'action' | 'evidence'>,
): boolean => before === null && note === undefined && action === 'adopt' && evidence.level === 'unknown'

/** The fields of a change for display; values that were never read are marked. */
export const toldFields = (change: Pick<ReportedChange, 'action' | 'evidence' | 'fields'>): ReportedField[] =>
  change.fields.map((field) => (isUnseen(field, change) ? { ...field, before: NOT_KNOWN } : field))
