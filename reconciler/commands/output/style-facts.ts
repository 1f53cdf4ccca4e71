import { projectNamesIn, type About } from '../../render/document/about.ts'
import { organizationsAtHead } from '../../render/terminal/where.ts'
import type { StyleFacts } from './report.ts'

/** The facts about an installation that reports are styled by, as of the instant at which it was judged. */
export const styleFactsOf = (about: About, now: Date): Required<Omit<StyleFacts, 'allowed'>> => ({
  names: projectNamesIn(about),
  now,
  atHead: organizationsAtHead(about),
})
