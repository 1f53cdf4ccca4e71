import { BLANK, line, printedLines } from '../../text/lines.ts'
import { roomOf, type Style } from '../../text/style.ts'
import { tableLines } from '../../text/table.ts'
import type { Reports } from '../document/reports.ts'
import { counted } from '../wording/sentences.ts'

/** Silences, with their end and reason. */
export const renderSilences = ({ document: { silences } }: Reports['silences'], style: Style): string => {
  if (silences.length === 0) return printedLines([line('Nothing is silenced.')], style)
  const rows = silences.map(({ id, name, project, projectId, alertTypeNames, endDate, reason, status }) => ({
    // Without an id, it is ended by its name.
    id: id ?? name,
    until: endDate,
    project: project ?? projectId,
    status: status === 'open' ? 'open' : 'outcome unknown',
    types: alertTypeNames.join(', '),
    ...(reason === undefined ? {} : { reason }),
  }))
  const head = line(counted(silences.length, 'silence'))
  return printedLines(
    [
      head,
      BLANK,
      ...tableLines(rows, roomOf(style), { ranked: true }),
      BLANK,
      line(`${TO_END}${style.sameFlags ?? ''}`),
    ],
    style,
  )
}

const TO_END = 'To end one: deploymgmt silence end ID'
