import type { Client } from '@deploymgmt/provider/api'
import { CancelledError, DeadlineError } from '@deploymgmt/provider/errors'
import type { Condition, Hindrance } from '../../conditions/index.ts'
import type { Io } from '../../io.ts'
import { visible } from '../../text/display.ts'
import { duration } from '../../text/instants.ts'
import { number } from '../../text/number.ts'
import type { Progress } from '../../text/progress.ts'
import type { CommonOptions } from '../line/options.ts'
import { canReplace } from '../output/live-line.ts'
import { tell } from '../output/tell.ts'
import { isPassing } from '../service/passing.ts'

export interface WaitOptions extends CommonOptions {
  readonly project: readonly string[]
  readonly except: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
}

export interface Waiting {
  readonly io: Io
  readonly options: WaitOptions
  readonly condition: Condition
  readonly client: Client
  readonly projects: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  /** Aborts a look that takes too long. */
  readonly late: AbortSignal
  /** When the time is over, epoch milliseconds. */
  readonly until: number
  /** Words of `--except` that have matched nothing yet. */
  readonly unmet: Set<string>
}

/** What prevents the condition, by the id of the project. */
export type Hindrances = ReadonlyMap<string, readonly Hindrance[]>

/** What a person was told, so that it is not repeated. */
export interface Reported {
  /** The last line of a log. */
  said: string
  /** What was seen last, and when, epoch milliseconds. */
  last?: { readonly at: number; readonly lines: readonly string[] }
}

/**
 * What prevents the condition in each project. An unavailable service is waited for, too, if there is time.
 *
 * @throws the error of the service, after printing what was seen before
 */
export const lookAt = async (
  { io, condition, client, projects, options, signal, late, until, unmet }: Waiting,
  progress: Progress,
  reported: Reported,
): Promise<Hindrances | undefined> => {
  const isExcepted = ({ names }: Hindrance): boolean => names.some((name) => options.except.includes(name))
  try {
    const found = await Promise.all(
      [...projects.keys()].map(async (id) => {
        const { hindrances, names } = await condition.look(client, id)
        for (const name of names) unmet.delete(name)
        return [id, hindrances.filter((each) => !isExcepted(each))] as const
      }),
    )
    return new Map(found)
  } catch (error) {
    if (signal.aborted) return undefined
    const failed = late.aborted ? tooLate(client, error) : error
    if (!isPassing(failed)) throw failed
    // The look can have used up the time that was left.
    if (late.aborted || io.now().getTime() >= until) {
      progress.finish()
      await tell(io, sayLast(reported, io.now().getTime()))
      throw failed
    }
    const said = `The service does not answer as it should; trying again: ${visible(failed.message)}`
    if (said !== reported.said) progress.line(said)
    reported.said = said
    return undefined
  }
}

const tooLate = ({ baseUrl }: Client, error: unknown): unknown => {
  if (!(error instanceof CancelledError)) return error
  const { method, path } = error
  const url = `${baseUrl}${path}`
  return new DeadlineError('the last request was not answered in time', {
    method,
    url,
    path,
    outcome: 'refused',
  })
}

const sayLast = ({ last }: Reported, now: number): string =>
  last === undefined
    ? 'No request was answered before that.'
    : `Last seen ${duration(now - last.at)} earlier: ${last.lines.join('\n  ')}`

/** A terminal has a line that changes; a log gets a line for each change. */
export const reportSeen = (
  { io, projects }: Waiting,
  {
    progress,
    seen,
    reported,
  }: { readonly progress: Progress; readonly seen: Hindrances; readonly reported: Reported },
): void => {
  const hindrances = [...seen].flatMap(([id, each]) =>
    each.map(({ says }) => visible(`${projects.get(id) ?? id}: ${says}`)),
  )
  const done = [...seen.values()].filter((each) => each.length === 0).length
  const count = leftOf(hindrances.length, seen.size - done, seen.size)
  reported.last = { at: io.now().getTime(), lines: [count, ...hindrances] }
  if (canReplace(io.stderr, io))
    return progress.update({ done, total: seen.size, current: hindrances.join(' · ') })
  const now = hindrances.join('\n')
  const earlier = new Set(reported.said.split('\n'))
  if (now !== reported.said) {
    for (const each of hindrances) if (!earlier.has(each)) progress.line(each)
    progress.line(count)
  }
  reported.said = now
}

/** `3 left, in 2 of 5 projects`. */
const leftOf = (hindrances: number, open: number, projects: number): string => {
  if (hindrances === 0) return 'none left'
  const where = projects === 1 ? '' : `, in ${number(open)} of ${number(projects)} projects`
  return `${number(hindrances)} left${where}`
}
