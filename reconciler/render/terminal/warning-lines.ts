import { ended } from '@deploymgmt/provider/core'
import { few } from '../../text/few.ts'
import { hanging, indented, proseLines, span, type Line } from '../../text/lines.ts'
import { proseRoom, type Style } from '../../text/style.ts'
import type { ReportedSubject } from '../document/reported.ts'
import type { ReportStyle } from '../document/reports.ts'
import { IGNORED, ignoredFields } from '../wording/ignored.ts'

/** Nobody has to do anything about them, but a switched-off alert must not disappear from sight. */
export const ignoredLines = (doc: ReportedSubject, style: ReportStyle): Line[] => {
  const names = ignoredFields(doc)
  if (names.length === 0) return []
  return hanging(`${IGNORED}: ${style.all === true ? names.join(', ') : few(names)}`, proseRoom(style), 'dim')
}

export const warningLines = (warnings: readonly string[], style: Style): Line[] =>
  warnings.flatMap((warning) => {
    const [first, ...others] = proseLines(ended(warning), proseRoom(style) - WARNING.length)
    return [[span(WARNING, 'warn'), ...(first ?? [])], ...indented(WARNING.length, others)]
  })
const WARNING = 'warning: '
