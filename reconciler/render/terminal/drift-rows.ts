import { indented, pad, proseLines, span, type Line } from '../../text/lines.ts'
import { proseRoom, type Tone } from '../../text/style.ts'
import type { ReportStyle } from '../document/reports.ts'
import { projectBeside } from '../wording/beside-address.ts'
import type { Told } from '../wording/grouped-addresses.ts'
import { addressesWithWhy } from './folded.ts'

/** The column in which the contents of a drift report start. */
export const COLUMN = 18

export const row = (label: string, tone: Tone | undefined, content: Line): Line => [
  span(pad(`  ${label}`, COLUMN), tone),
  ...content,
]
export const below = (lines: readonly Line[]): Line[] => indented(COLUMN, lines)

/** The project, if there are several. */
export const projectOf = (
  { identity = {} }: { readonly identity?: Readonly<Record<string, string>> },
  { names }: ReportStyle,
): string | undefined => projectBeside(identity['projectId'], names)

/** A row for each text, with the addresses that share it. */
export const addressRows = (
  { label, tone }: { readonly label: string; readonly tone?: Tone },
  groups: readonly {
    readonly addresses: readonly string[]
    readonly told?: readonly Told[]
    readonly why: string
  }[],
  style: ReportStyle,
): Line[] =>
  groups.flatMap(({ addresses, told = addresses, why }) => {
    const [text, ...more] = addressesWithWhy(told, why, style)
    const [first, ...others] = proseLines(text, proseRoom(style) - COLUMN)
    return [
      row(label, tone, first ?? []),
      ...below(others),
      ...below(more.map((each) => [span(each, 'dim')])),
    ]
  })
