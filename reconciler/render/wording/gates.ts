import { didYouMean } from '@deploymgmt/provider/core/text'
import { showInstant } from '../../text/instants.ts'
import type { ReportedGate } from '../document/plan-model.ts'
import { untilWords } from './until.ts'

/** The state of a gate, and its obstacles, in one sentence. */
export const sayGate = (said: ReportedGate): string => {
  const { project, projectId, gate, goal, hindrances } = said
  const what = `gate ${gate} of ${project ?? projectId}`
  if (said.open) return `${what} is open: ${goal}`
  const [first, ...more] = hindrances.map(({ says }) => says)
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return `${what} is closed: ${first ?? goal}${others}`
}

/** Further obstacles, excepted ones, exceptions that have ended or match nothing, and what a person does. */
export const belowGate = ({
  open,
  hindrances,
  excepted = [],
  ended = [],
  unmatched = [],
  byHand,
}: ReportedGate): string[] => [
  ...(open ? [] : hindrances.slice(1).map(({ says }) => says)),
  ...excepted.map((each) => `excepted: ${each.says} (${[each.reason, ...untilWords(each)].join(', ')})`),
  ...ended.map(
    ({ name, until }) => `the exception for ${name} has ended: it was valid until ${showInstant(until)}`,
  ),
  ...unmatched.map(
    ({ name, declaredAt, meant }) =>
      `the exception for ${name} at ${declaredAt} matches nothing${didYouMean(meant)}`,
  ),
  ...(byHand === undefined ? [] : [byHand]),
]
