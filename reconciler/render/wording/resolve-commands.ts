import { sayInstant } from '@deploymgmt/provider/words'
import { shellWord } from '../../text/display.ts'
import { number } from '../../text/number.ts'

/** A request that was lost, for the commands that say what became of it. */
export interface Lost {
  readonly wasCreation: boolean
  /** Until when it can still take effect: nobody can say before that it is not there. */
  readonly until?: string | undefined
  /** Nobody could look whether it is there. */
  readonly isUnseen?: boolean
}

/** What is not a creation needs nobody who looks. */
export const SETTLED_BY_APPLY = 'the next apply finds out by itself, or sends it again'

/** The commands that say what became of a request; what is not a creation was not created, and has no id. */
export const resolveCommands = (
  address: string,
  { wasCreation, until, isUnseen }: Lost,
  sameFlags = '',
): string[] => {
  const command = `deploymgmt state resolve ${shellWord(address)}`
  if (!wasCreation) return [`${command} --again${sameFlags}`]
  return [
    `${command} --created ID${sameFlags}`,
    ...(until === undefined && isUnseen !== true ? [`${command} --not-created${sameFlags}`] : []),
  ]
}

/** Where a person looks: no endpoint shows what a lost creation has made. */
export const WHERE_TO_LOOK = 'events or the web interface'

/**
 * While it can still take effect, nothing is to be decided.
 * @param late how many can, of how many that are told of
 */
export const runAgain = (until: string, { late, of } = { late: 1, of: 1 }): string => {
  const all = of === 1 ? 'the request' : 'the requests'
  const which = late === of ? all : `${number(late)} of ${all}`
  return `Run the command again after ${sayInstant(until)}: ${which} could still take effect until then.`
}
