import { line, proseLines, span, widthOf, type Line } from '../../text/lines.ts'
import { number } from '../../text/number.ts'
import { proseRoom, roomOf } from '../../text/style.ts'
import type { DriftDocument, ReportedDrift, WayOut } from '../document/drift-model.ts'
import type { ReportStyle } from '../document/reports.ts'
import { keepEachByItself, undoing, undoingEntry } from '../document/ways-out.ts'
import { COLUMN } from './drift-rows.ts'

/** Drifts with the same text here are undone by one apply, and kept in the same way. */
export const waysAlike = (drift: ReportedDrift, { sameFlags = '' }: ReportStyle): string => {
  const { address, declared, declaredAt, undo, keep } = drift
  const isJoinable = declared === undefined && undo?.command === undoing([drift], sameFlags)
  // A command that keeps something names one thing.
  if (!isJoinable || keep?.command !== undefined) return address
  return JSON.stringify([undo.text, keep?.entry === undefined ? keep?.text : [declaredAt]])
}

/** How several with the same ways out are undone and kept. */
export const joinedWays = (
  alike: readonly ReportedDrift[],
  first: ReportedDrift,
  style: ReportStyle,
): Line[] => {
  const these = `these ${number(alike.length)}`
  const undo = wayLines(
    `undo ${these}`,
    { ...first.undo, command: undoing(alike, style.sameFlags ?? '') },
    style,
  )
  const entries = alike.flatMap(({ keep }) => keep?.entry ?? [])
  const keep = entries.length === 0 ? first.keep : { text: keepEachByItself(first) }
  return [...undo, ...wayLines(`keep ${these}`, keep, style), ...entries.map((entry) => line(entry))]
}

/** How many of one entry are undone at once. */
export const undoAll = (group: readonly ReportedDrift[], doc: DriftDocument, style: ReportStyle): Line[] => {
  const areAlike = new Set(group.map((each) => waysAlike(each, style))).size === 1
  const command = areAlike ? undoingEntry(group, doc, style.sameFlags ?? '') : undefined
  const label = `undo all ${number(group.length)}`
  return command === undefined ? [] : wayLines(label, { ...group[0]?.undo, command }, style)
}

/** How one is undone and kept. */
export const waysOut = ({ undo, keep, declared }: ReportedDrift, style: ReportStyle): Line[] => {
  const room = roomOf(style) - COLUMN
  // Someone has followed "keep": only the record is left to update.
  if (declared === 'as live') return [line(`declared as it is now: ${keep?.command ?? ''} records it`)]
  const [first, second] = [wayLines('undo', undo, style), wayLines('keep', keep, style)]
  const [one, other] = [first[0] ?? [], second[0] ?? []]
  const isShort = first.length === 1 && undo?.command !== undefined && second.length > 0
  const together = [...one, span('     '), ...other]
  return isShort && widthOf(together) <= room ? [together, ...second.slice(1)] : [...first, ...second]
}

/** Text to be copied is not wrapped. */
const wayLines = (label: string, way: WayOut | undefined, style: ReportStyle): Line[] => {
  if (way === undefined) return []
  const { command, text } = way
  const room = roomOf(style) - COLUMN
  if (command === undefined)
    return proseLines(`${label}: ${text ?? ''}`, label === 'undo' ? proseRoom(style) - COLUMN : room)
  // A plan undoes nothing; it shows how that is done.
  const see = command.startsWith('deploymgmt plan ') ? 'see ' : ''
  return [
    line(`${label}: ${see}${command}`),
    ...(text === undefined || see !== '' ? [] : proseLines(text, room)),
  ]
}
