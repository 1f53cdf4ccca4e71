import { sayInstant } from '@deploymgmt/provider/words'
import { shellWord } from '../../text/display.ts'
import { number } from '../../text/number.ts'

/** A lost request, for the commands that settle it. */
export interface Lost {
  readonly wasCreation: boolean
  /** Until when it can still take effect: before that, nobody can say that the thing does not exist. */
  readonly until?: string | undefined
  /** Set if nobody could check whether it exists. */
  readonly isUnseen?: boolean
}

/** Only creations need a person to check. */
export const SETTLED_BY_APPLY = 'the next apply finds out by itself, or sends it again'

/** The commands that settle a request; a request that is no creation cannot be resolved with an id. */
export const resolveCommands = (
  address: string,
  { wasCreation, until, isUnseen }: Lost,
  sameFlags: string,
): string[] => {
  const command = `deploymgmt state resolve ${shellWord(address)}`
  if (!wasCreation) return [`${command} --again${sameFlags}`]
  return [
    `${command} --created ID${sameFlags}`,
    ...(until === undefined && isUnseen !== true ? [`${command} --not-created${sameFlags}`] : []),
  ]
}

/**
 * Where a person checks: no endpoint shows what a lost creation has made.
 * @param orgIds the organizations whose events can show it, as far as they are known
 */
export const whereToLook = (orgIds: readonly string[] = []): string => {
  const [only = 'ID', ...others] = orgIds
  const id = others.length === 0 ? shellWord(only) : 'ID'
  return `events (deploymgmt get organization_events --org-id ${id}) or the web interface`
}

/**
 * While it can still take effect, nothing can be decided. It names an apply, whatever the command was: a saved plan of
 * which something was sent cannot be applied again.
 * @param late how many can still take effect, out of how many
 */
export const runAgain = (until: string, sameFlags: string, { late, of } = { late: 1, of: 1 }): string => {
  const all = of === 1 ? 'the request' : 'the requests'
  const which = late === of ? all : `${number(late)} of ${all}`
  const sender = of === 1 ? 'sent it' : 'sent them'
  return `Run deploymgmt apply${sameFlags} after ${sayInstant(until)}: ${which} could still take effect until then at the service, even if the command that ${sender} has ended.`
}
