import { few } from '../../text/few.ts'
import { sayCreatedAgain, type Meant } from './meant.ts'

/** What went from one manifest to another. */
interface Went {
  readonly records: readonly Meant[]
  /** The entries of which something stays recorded. */
  readonly parts: readonly string[]
  /** The other entries. */
  readonly wholes: readonly string[]
  /** The manifests, in words. */
  readonly first: string
  readonly second: string
  /** Whether the first manifest certainly no longer declares what went. */
  readonly isGiven: boolean
  /** Whether the second manifest certainly declares it. */
  readonly isTaken: boolean
}

/** What to do in two manifests now that records went from the state of one to that of the other. */
export const sayNext = ({ records, parts, wholes, first, second, isGiven, isTaken }: Went): string => {
  const isOne = parts.length + wholes.length === 1
  const areAll = parts.length === 0
  const isMixed = !areAll && wholes.length > 0
  const called = (names: readonly string[]): string =>
    isMixed ? few(names) : isOne ? 'the entry' : 'the entries'
  const them = areAll ? (isOne ? 'it' : 'them') : 'what went'
  const declare = isGiven && areAll ? called(wholes) : them
  const its = parts.length === 1 ? 'its' : 'their'
  const todo = [
    ...(isGiven || wholes.length === 0 ? [] : [`take ${called(wholes)} out of ${first}`]),
    ...(isGiven || areAll
      ? []
      : [`narrow ${called(parts)} in ${first} to what stays, such as by ${its} \`projectIds\` or by an id`]),
    ...(isTaken ? [] : [`declare ${declare} under the same ${isOne ? 'name' : 'names'} in ${second}`]),
    `run deploymgmt plan with both, which then have nothing to do${areAll ? '' : ', or only rename what one entry stood for in several projects'}`,
  ]
  const dangers = [
    ...(isGiven
      ? []
      : [`an apply of ${first} brings ${them} under management again${sayCreatedAgain(records)}`]),
    ...(isTaken ? [] : [`an apply of ${second} releases ${them}`]),
  ]
  const until = dangers.length === 0 ? '' : ` Until then, ${dangers.join(', and ')}.`
  return `Next: ${sequence(todo)}.${until}`
}

const sequence = (steps: readonly string[]): string =>
  steps.length === 1 ? steps.join('') : `${steps.slice(0, -1).join(', ')}, and ${steps.at(-1)}`
