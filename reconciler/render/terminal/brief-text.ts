import { line, printedLines } from '../../text/lines.ts'
import type { Style } from '../../text/style.ts'
import type { Reports, ReportStyle } from '../document/reports.ts'
import { fold, LONG, moreLikeIt } from './folded.ts'

export const renderValidation = (
  { document: { name, entries } }: Reports['validation'],
  style: Style,
): string =>
  printedLines(
    [line(`${name}: ${entries} ${entries === 1 ? 'entry' : 'entries'}, all valid. Nothing was sent.`)],
    style,
  )

/** A terminal folds many sentences; the last one may say what to do next. */
export const renderDone = ({ document }: Reports['done'], style: ReportStyle): string => {
  const done = [document.done].flat()
  const { all = false, isTerminal = false } = style
  const { shown, hidden } = fold(done.slice(0, -1), { all: all || !isTerminal, room: LONG })
  const more = hidden.length === 0 ? [] : [moreLikeIt(hidden.length)]
  return printedLines(
    [...shown, ...more, ...done.slice(-1)].map((each) => line(each)),
    style,
  )
}

export const renderReady = (
  { document: { baseUrl, controlUrl, controlToken = '' }, data }: Reports['ready'],
  style: Style,
): string =>
  printedLines(
    [
      line(`The service answers at ${baseUrl}`),
      ...(controlUrl === undefined
        ? []
        : [line(`control: ${controlUrl} with the bearer token ${controlToken}`)]),
      line(`${data === undefined ? 'It keeps nothing.' : `It keeps its data in ${data}.`} Ctrl-C stops it.`),
    ],
    style,
  )
