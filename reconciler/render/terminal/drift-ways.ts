import { line, proseLines, span, widthOf, type Line } from '../../text/lines.ts'
import { number } from '../../text/number.ts'
import { proseRoom, roomOf } from '../../text/style.ts'
import type { ReportedDrift, WayOut } from '../document/drift-model.ts'
import type { ReportStyle } from '../document/reports.ts'
import { COLUMN } from './drift-rows.ts'

/** Whether several are undone by one apply, which takes several targets. */
export const isJoinable = ({ undo, declared }: ReportedDrift): boolean =>
  declared === undefined && undo?.command?.startsWith(UNDOES) === true
const UNDOES = 'deploymgmt apply --target '

/** How it is kept, without the entry to paste; a command that keeps something names one thing. */
export const keepAround = ({ keep, address }: ReportedDrift): string => {
  const { command, text = '', entry } = keep ?? {}
  if (command !== undefined) return address
  return entry === undefined ? text : text.split(entry).join(ENTRY)
}
const ENTRY = '\0'

/** How several with the same ways out are undone and kept. */
export const joinedWays = (
  alike: readonly ReportedDrift[],
  first: ReportedDrift,
  style: ReportStyle,
): Line[] => {
  const these = `these ${number(alike.length)}`
  const flags = style.sameFlags ?? ''
  const targets = alike.map(({ undo }) => undo?.command?.slice(UNDOES.length, -flags.length || undefined))
  const command = `${UNDOES}${targets.join(' --target ')}${flags}`
  const entries = alike.flatMap(({ keep }) => keep?.entry ?? [])
  const undo = wayLines(`undo ${these}`, { ...first.undo, command }, style)
  const [above = '', after = ''] = keepAround(first).split(ENTRY)
  if (entries.length === 0) return [...undo, ...wayLines(`keep ${these}`, first.keep, style)]
  const room = proseRoom(style) - COLUMN
  return [
    ...undo,
    ...proseLines(
      `keep ${these}: ${above.trim().replace('declare it by itself', 'declare each by itself')}`,
      room,
    ),
    ...entries.map((entry) => line(entry)),
    ...proseLines(after.trim(), room),
  ]
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
