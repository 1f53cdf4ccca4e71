import type { RecordedResource } from '@deploymgmt/provider/engine'
import { fieldsOfKind } from '../document/field-type.ts'
import { sayMoment } from '../../text/instants.ts'
import { number } from '../../text/number.ts'
import { keyValueLines } from '../../text/key-values.ts'
import {
  BLANK,
  hanging,
  indented,
  largest,
  line,
  pad,
  printedLines,
  span,
  widthOf,
  type Line,
  type Span,
} from '../../text/lines.ts'
import type { AddressedRecord, Reports, StateLine } from '../document/reports.ts'
import { resolveLines } from './resolve-lines.ts'
import { projectBeside } from '../wording/beside-address.ts'
import { runAgain, SETTLED_BY_APPLY, whereToLook } from '../wording/resolve-commands.ts'
import { counted } from '../wording/sentences.ts'
import { proseRoom, roomOf, type Style, type Tone } from '../../text/style.ts'

/** Records and unknown outcomes, with the commands that settle these. */
export const renderStateList = ({ lines: rows }: Reports['records'], style: Style): string => {
  if (rows.length === 0) return printedLines([line('Nothing is recorded.')], style)
  const room = proseRoom(style)
  const underWay = rows.filter(({ isUnderWay }) => isUnderWay === true)
  const unknown = rows.filter((row) => row.status === 'unknown' && !underWay.includes(row))
  const creations = unknown.filter(({ wasCreation = true }) => wasCreation)
  const changes = unknown.filter((row) => !creations.includes(row))
  const named = ({ address, projectId }: StateLine): string => {
    const project = projectBeside(projectId, style.names)
    return project === undefined ? address : `${address} (${project})`
  }
  const addressRoom = largest(rows.map((row) => widthOf(line(named(row))))) + 2
  const idRoom = largest(rows.map(({ id }) => widthOf(line(id ?? '—')))) + 2
  const listed = rows.map((row): Line => [
    span(pad(named(row), addressRoom)),
    span(pad(row.id ?? '—', idRoom), 'dim'),
    statusOf(row),
  ])
  const summary = [
    `${number(rows.length - unknown.length - underWay.length)} recorded`,
    ...(underWay.length > 0 ? [`${number(underWay.length)} under way`] : []),
    ...(unknown.length > 0 ? [`${counted(unknown.length, 'outcome')} unknown`] : []),
  ]
  return printedLines(
    [
      ...listed,
      BLANK,
      ...changes.flatMap(({ address }) => hanging(`${address}: ${SETTLED_BY_APPLY}.`, room)),
      ...(changes.length === 0 ? [] : [BLANK]),
      ...(creations.length === 0 ? [] : [...hanging(LOOKED_FOR, room), BLANK]),
      ...creations.flatMap(({ address, until }) => [
        ...(until === undefined
          ? []
          : hanging(`${address}: ${runAgain(until, style.sameFlags ?? '')}`, room)),
        ...resolveLines(address, { wasCreation: true, until }, style),
        BLANK,
      ]),
      line(summary.join(' · ')),
    ],
    style,
  )
}

const statusOf = ({ status, isUnderWay }: StateLine): Span => {
  if (isUnderWay === true) return span('under way', 'doubt')
  return status === 'unknown' ? span('outcome unknown', 'alarm') : span('')
}

const LOOKED_FOR = `The next plan or apply looks for evidence first. Where it finds none, look at ${whereToLook()}:`

/** One record, in the order in which people ask: what it is, what was applied, what was answered. */
export const renderStateShow = ({ document }: Reports['record'], style: Style): string =>
  [...(isRecord(document) ? [document] : []), ...(document.instances ?? [])]
    .map((record) => renderRecord(record, style))
    .join('\n\n')

const isRecord = (document: Reports['record']['document']): document is AddressedRecord =>
  document.kind !== undefined

const renderRecord = ({ address, ...record }: AddressedRecord, style: Style): string => {
  const room = roomOf(style) - 2
  const block = (title: string, values: object | null | undefined, tone: Tone = 'strong'): Line[] =>
    values === null || values === undefined || Object.keys(values).length === 0
      ? []
      : [
          BLANK,
          [span(title, tone)],
          ...indented(2, keyValueLines({ ...values }, room, fieldsOfKind(record.kind), style.names)),
        ]
  const lines = [
    [span(address, 'strong'), span(`  (${record.kind})`)],
    ...indented(2, keyValueLines({ ...record.identity, ...factsOf(record) }, room, undefined, style.names)),
    ...block('as last applied', record.applied),
    ...block('as last answered', record.answer),
    ...block('as first seen', record.adopted),
    ...block('beside what is declared', record.beside),
    ...block('as applied before others changed it', record.overridden, 'warn'),
    ...block('still there after its removal', record.leftover, 'warn'),
  ]
  return printedLines(lines, style)
}

const factsOf = (record: RecordedResource): Record<string, unknown> => ({
  onRemove: record.onRemove,
  ...(record.protect === true ? { protect: true } : {}),
  ...(record.absent === true ? { 'must be': 'absent' } : {}),
  'last written': record.lastWrite === null ? 'never by deploymgmt' : sayMoment(record.lastWrite.to),
  ...(record.notFoundAt === undefined ? {} : { 'not found at the service': sayMoment(record.notFoundAt) }),
  'events read up to': sayMoment(record.watermark),
  ...((record.acknowledged?.length ?? 0) > 0 ? { 'events accepted or answered': record.acknowledged } : {}),
})
