import type { SaidExplained, SaidOrigin } from './document.ts'
import { visible } from '../text/display.ts'
import { few } from '../text/few.ts'
import { BLANK, line, type Line } from '../text/lines.ts'

/** Where the values of one entry come from; none where that was not asked. */
export const explainedLines = (explained: SaidExplained | undefined): Line[] => {
  if (explained === undefined) return []
  const width = Math.max(0, ...explained.values.map(({ field }) => field.length))
  return [
    BLANK,
    line(visible(`Where the values of ${explained.address} come from:`)),
    ...explained.values.map(({ field, from }) =>
      line(visible(`  ${field.padEnd(width)}  ${from.map(originText).join(' ← ')}`)),
    ),
    ...rankSentences(explained).map((text) => line(visible(text))),
  ]
}

/** Which entry stands for what, where an id beats a selector. */
export const rankSentences = ({ takesFrom = [], leavesTo = [] }: SaidExplained): string[] => [
  ...(takesFrom.length === 0
    ? []
    : [`It takes what it names out of what ${few(takesFrom)} selects: an id beats a selector.`]),
  ...(leavesTo.length === 0
    ? []
    : [`It stands for what it selects but for what is declared by its id: ${few(leavesTo)}.`]),
]

/** What says it, and where. */
export const originText = ({ is, name, at = 'not known yet' }: SaidOrigin): string => {
  if (is === 'field-default') return 'default of the field'
  if (is === 'command-line') return `${name} from --var`
  if (is === 'defaults') return `defaults at ${at}`
  return name === undefined ? at : `${name} at ${at}`
}
