import { comment, wholeSection } from './comment.ts'
import { errorLines, findingLines } from '../document/failure.ts'
import { bullets } from './markdown-parts.ts'
import { prose } from './markdown.ts'
import type { Reports } from '../document/reports.ts'

/** A command that failed. It has no marker, because it must not replace an earlier report. */
export const renderFailureMarkdown = ({
  document: { error },
}: Pick<Reports['failure'], 'document'>): string => {
  const [what = '', ...more] = errorLines(error)
  return comment(
    [
      wholeSection(`### ${prose(`Failed: ${what}`)}`),
      ...more.map((text) => wholeSection(prose(text))),
      ...bullets('What was found', findingLines(error).map(prose), 'finding'),
    ],
    'the same with `--format json`.',
  )
}
