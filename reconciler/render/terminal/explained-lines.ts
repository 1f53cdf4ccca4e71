import { visible } from '../../text/display.ts'
import { line, type Line } from '../../text/lines.ts'
import type { ReportedExplained } from '../document/explained.ts'
import { originSteps, rankSentences } from '../wording/explained.ts'

/** The origins of an entry's values. */
export const explainedLines = (explained: ReportedExplained): Line[] => {
  const width = Math.max(0, ...explained.values.map(({ field }) => field.length))
  return [
    line(visible(`Where the values of ${explained.address} come from:`)),
    ...explained.values.map(({ field, from }) =>
      line(
        visible(
          `  ${field.padEnd(width)}  ${originSteps(from)
            .map(({ joint, text }) => joint + text)
            .join('')}`,
        ),
      ),
    ),
    ...rankSentences(explained).map((text) => line(visible(text))),
  ]
}
