import { line, printedLines } from '../../text/lines.ts'
import type { Style } from '../../text/style.ts'
import type { Reports } from '../document/reports.ts'

export const renderValidation = (
  { document: { name, entries } }: Reports['validation'],
  style: Style,
): string =>
  printedLines(
    [line(`${name}: ${entries} ${entries === 1 ? 'entry' : 'entries'}, all valid. Nothing was sent.`)],
    style,
  )

export const renderDone = ({ document }: Reports['done'], style: Style): string =>
  printedLines(
    [document.done].flat().map((each) => line(each)),
    style,
  )

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
