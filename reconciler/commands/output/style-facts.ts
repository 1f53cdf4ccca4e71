import { namesOf, type About } from '../../render/document/about.ts'
import { organizationsAtHead } from '../../render/terminal/where.ts'
import type { StyleFacts } from './report.ts'

/** What a report about an installation goes by, where it was judged as of an instant. */
export const styleFactsOf = (about: About | undefined, now: Date): Required<StyleFacts> => ({
  names: namesOf(about),
  now,
  atHead: organizationsAtHead(about),
})
