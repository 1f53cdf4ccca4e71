import { hanging, indented, proseLines, span, type Line } from '../../text/lines.ts'
import { MARKS, proseRoom } from '../../text/style.ts'
import { INDENT, type FieldStyle } from './field-lines.ts'
import { fold, moreLikeIt } from './folded.ts'
import { sayLacking, sayDoes, sayWhere, type ReportedLacking } from '../document/lacking.ts'

/** What several entries lack, said once, with the edits to paste into them. */
export const lackingLines = (lacking: ReportedLacking, style: FieldStyle): Line[] => {
  const room = proseRoom(style) - INDENT
  const { shown, hidden } = fold(lacking.entries, style)
  const more = hidden.length === 0 ? '' : ` ${moreLikeIt(hidden.length)}`
  const mark = MARKS.blocked
  return [
    [span(`  ${mark.symbol} `, mark.tone), span(sayLacking(lacking), 'strong')],
    ...indented(INDENT, [
      ...proseLines(`${shown.join(', ')}${more}`, room),
      ...hanging(
        `By hand: set it up there, then plan again${style.all === true ? '' : '; plan --all says where'}.`,
        room,
      ),
      ...wayLines(lacking, style),
    ]),
  ]
}

const wayLines = (lacking: ReportedLacking, style: FieldStyle): Line[] => {
  const room = proseRoom(style) - INDENT
  return lacking.ways.flatMap((way, index) => {
    const [before] = lacking.ways.slice(Math.max(0, index - 1), index)
    const isSame = before !== undefined && before.does === way.does
    return [
      ...proseLines(`${isSame ? '' : `Or ${sayDoes(lacking, way)} `}${sayWhere(lacking, way)}:`, room),
      ...indented(2, [[span(way.edit, 'strong')]]),
    ]
  })
}
