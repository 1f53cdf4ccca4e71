import { errorLines, findingLines } from '../failure.ts'
import type { Reports } from '../reports.ts'
import { foundOf } from './lists.ts'
import { DRIFT_MARKS } from './marks.ts'
import { pageOf } from './page.ts'

/** A command that failed, as the page that its report would be. */
export const renderFailurePage = ({ document: { error } }: Pick<Reports['failure'], 'document'>): string => {
  const [what = '', ...more] = errorLines(error)
  return pageOf({
    title: `Failed: ${error.code}`,
    command: 'failed',
    tone: 'bad',
    symbol: DRIFT_MARKS.late.symbol,
    verdict: 'It failed, and there is no report',
    lead: what,
    facts: [],
    counts: [],
    rows: [],
    shown: { mark: '', before: '', after: '', options: {} },
    caption: '',
    empty: more.join(' · '),
    before: [foundOf(findingLines(error))],
    after: [],
    told: [],
  })
}
