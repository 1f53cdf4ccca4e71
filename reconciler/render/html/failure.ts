import { findingLines } from '../document/failure.ts'
import type { Reports } from '../document/reports.ts'
import { html } from './escape.ts'
import { findingList } from './lists.ts'
import { DRIFT_MARKS } from './marks.ts'
import { pageOf } from './page.ts'
import { scrolling } from './values.ts'

/** The page for a command that failed. */
export const renderFailurePage = ({ document: { error } }: Pick<Reports['failure'], 'document'>): string => {
  const { code, message, where, hint = '' } = error
  return pageOf({
    title: `Failed: ${code}`,
    command: 'failed',
    tone: 'bad',
    symbol: DRIFT_MARKS.late.symbol,
    verdict: 'The command failed; there is no report',
    lead: message,
    facts: [
      ['Code', scrolling(code)],
      ['Where', where === undefined ? undefined : html`<code>${scrolling(where)}</code>`],
    ],
    counts: [],
    rows: [],
    shown: { mark: '', before: '', after: '', options: {} },
    caption: '',
    empty: hint,
    before: [findingList(findingLines(error))],
    after: [],
    timeline: [],
  })
}
