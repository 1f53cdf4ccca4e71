import { retryLimits, type Client } from '@deploymgmt/provider/api'
import { CancelledError, DeadlineError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { conditionOf, type Condition, type Hindrance } from '../conditions/index.ts'
import { loadDeclaration } from '../config/index.ts'
import { ManifestNotFoundError, UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { Waited } from '../render/document/reports.ts'
import { surroundings } from '../state/index.ts'
import { shellWord, visible } from '../text/display.ts'
import { duration } from '../text/instants.ts'
import type { Progress } from '../text/progress.ts'
import { alarm } from './meant/alarm.ts'
import { progressOn } from './output/live-line.ts'
import type { CommonOptions } from './line/options.ts'
import { projectNamed, sayProject } from './meant/project-named.ts'
import { isPassing } from './service/passing.ts'
import { reporter } from './output/report.ts'
import { outsideOf } from './meant/state-meant.ts'
import { tell } from './output/tell.ts'
import { withClient } from './service/with-client.ts'

export interface WaitOptions extends CommonOptions {
  readonly project: readonly string[]
  readonly except: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
}

/** It is looked again after so long, milliseconds: soon at first, and seldom where it takes long. */
const FIRST_MS = 2_000
export const LONGEST_MS = 15_000

/** Waits until a condition holds in all of some projects; exit code 2 where it does not in time. */
export const wait = async (io: Io, options: WaitOptions, what: string): Promise<number> => {
  const condition = conditionNamed(what)
  const report = await reporter(io, options, 'waited')
  const projects = await projectsIn(io, options, condition)
  const [stopped, late] = [new AbortController(), new AbortController()]
  const stopListening = io.onInterrupt(() => stopped.abort())
  const until = io.now().getTime() + options.timeout
  const putOff = alarm(io, options.timeout + LAST_LOOK_MS, late)
  const [signal, unmet] = [stopped.signal, new Set(options.except)]
  const waiting = { io, options, condition, projects, signal, late: late.signal, until, unmet }
  try {
    return await withClient(
      io,
      options,
      async (client) => {
        const waited = await untilHeld({ ...waiting, client })
        if (waited === undefined) return 130
        for (const name of unmet)
          await tell(io, `Warning: --except ${shellWord(name)} matches nothing that was found.`)
        await report({ document: waited }, { names: projects })
        return waited.reached ? 0 : 2
      },
      AbortSignal.any([signal, late.signal]),
      until,
    )
  } catch (error) {
    if (!signal.aborted) throw error
    return 130
  } finally {
    stopListening()
    putOff()
  }
}

/** A look that is under way when the time is over may take as long as one request of it. */
const LAST_LOOK_MS = retryLimits.deadlineMs

const conditionNamed = (what: string): Condition => {
  const condition = conditionOf(what)
  if (condition === undefined) throw new RangeError(`nothing waits for ${what}`)
  return condition
}

/** Names by project id, in the order in which they were given. Without a manifest, ids alone are understood. */
const projectsIn = async (
  io: Io,
  options: WaitOptions,
  { wait: what }: Condition,
): Promise<ReadonlyMap<string, string>> => {
  const { file: files, var: vars, varFile: varFiles, project } = options
  if (project.length === 0)
    throw new UsageError('wait needs --project', {
      hint: `As in: deploymgmt wait ${what} --project payments`,
    })
  const names = await loadDeclaration(
    { files, vars, varFiles, cwd: io.cwd, env: io.env, offline: true },
    kinds,
  ).then(
    ({ declaration }) => declaration.projectNames,
    (error: unknown) => {
      if (files.length > 0 || !(error instanceof ManifestNotFoundError)) throw error
      return new Map<string, string>()
    },
  )
  return new Map(
    project.map((given) => {
      const id = projectNamed(given, names)
      return [id, sayProject(id, names)]
    }),
  )
}

interface Waiting {
  readonly io: Io
  readonly options: WaitOptions
  readonly condition: Condition
  readonly client: Client
  readonly projects: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  /** Gives up a look that goes on for too long. */
  readonly late: AbortSignal
  /** When the time is over, epoch milliseconds. */
  readonly until: number
  /** Words of `--except` that have met nothing yet. */
  readonly unmet: Set<string>
}

type Seen = ReadonlyMap<string, readonly Hindrance[]>

/** What a person has been told, so that it is not said again. */
interface Told {
  /** What a log has got last. */
  said: string
  /** What was seen last, and when, epoch milliseconds. */
  last?: { readonly at: number; readonly lines: readonly string[] }
}

/** Looks until it holds everywhere, or the time is over; nothing where it was interrupted. */
const untilHeld = async (waiting: Waiting): Promise<Waited | undefined> => {
  const { io, options, signal, until } = waiting
  const { pause, random } = surroundings(outsideOf(io))
  const left = (): number => Math.max(0, until - io.now().getTime())
  const progress = progressOf(waiting)
  const told: Told = { said: '' }
  try {
    for (let wanted = FIRST_MS, looks = 1; ; wanted = Math.min(wanted * 1.5, LONGEST_MS), looks += 1) {
      const seen = await lookAt(waiting, progress, told)
      if (seen !== undefined) tellSeen(waiting, { progress, seen, told })
      const reached = seen !== undefined && [...seen.values()].every((each) => each.length === 0)
      if (reached || (seen !== undefined && left() === 0)) {
        const ms = io.now().getTime() - until + options.timeout
        return documentOf({ waiting, seen, looks, ms })
      }
      const ms = Math.min(Math.ceil(wanted * (0.75 + random() / 4)), left())
      if (!signal.aborted) await pause(ms, signal).catch(() => undefined)
      if (signal.aborted) return undefined
    }
  } finally {
    progress.finish()
    if (signal.aborted) await tell(io, 'Interrupted; nothing was changed.')
  }
}

/**
 * What stands against it in each project. A service that is away for a while is waited for, too, if there is time.
 *
 * @throws what the service has not answered with, after saying what was seen before
 */
const lookAt = async (
  { io, condition, client, projects, options, signal, late, until, unmet }: Waiting,
  progress: Progress,
  told: Told,
): Promise<Seen | undefined> => {
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
    // A look can have taken all the time that was left.
    if (late.aborted || io.now().getTime() >= until) {
      progress.finish()
      await tell(io, sayLast(told, io.now().getTime()))
      throw failed
    }
    const said = `The service does not answer as it should, and is asked again: ${visible(failed.message)}`
    if (said !== told.said) progress.line(said)
    told.said = said
    return undefined
  }
}

const tooLate = ({ baseUrl }: Client, error: unknown): unknown => {
  if (!(error instanceof CancelledError)) return error
  const { method, path } = error
  const url = `${baseUrl}${path}`
  return new DeadlineError('the last look was not answered in time', {
    method,
    url,
    path,
    outcome: 'refused',
  })
}

const sayLast = ({ last }: Told, now: number): string =>
  last === undefined
    ? 'No look was answered before.'
    : `Seen last ${duration(now - last.at)} before: ${last.lines.join('\n  ')}`

const progressOf = ({ io, options, condition, projects }: Waiting): Progress => {
  const progress = progressOn(io, options.quiet === true)
  const where = [...projects.values()].join(', ')
  progress.line(`Waiting for up to ${duration(options.timeout)} until ${condition.goal}: ${where}`)
  return progress
}

/** A terminal has a line that changes; a log gets a line where something has. */
const tellSeen = (
  { io, projects }: Waiting,
  { progress, seen, told }: { readonly progress: Progress; readonly seen: Seen; readonly told: Told },
): void => {
  const hindrances = [...seen].flatMap(([id, each]) =>
    each.map(({ says }) => visible(`${projects.get(id) ?? id}: ${says}`)),
  )
  const done = [...seen.values()].filter((each) => each.length === 0).length
  const count = `${done} of ${seen.size} ${seen.size === 1 ? 'project' : 'projects'} reached`
  told.last = { at: io.now().getTime(), lines: [count, ...hindrances] }
  if (io.stderr.isTTY === true)
    return progress.update({ done, total: seen.size, current: hindrances.join(' · ') })
  const now = hindrances.join('\n')
  const earlier = new Set(told.said.split('\n'))
  if (now !== told.said) {
    for (const each of hindrances) if (!earlier.has(each)) progress.line(each)
    progress.line(count)
  }
  told.said = now
}

interface Facts {
  readonly waiting: Waiting
  readonly seen: Seen
  readonly looks: number
  readonly ms: number
}

const documentOf = ({ waiting, seen, looks, ms }: Facts): Waited => {
  const { condition, projects, options, client } = waiting
  const told = [...seen].map(([projectId, hindrances]) => {
    const project = projects.get(projectId) ?? projectId
    return {
      projectId,
      ...(project === projectId ? {} : { project }),
      reached: hindrances.length === 0,
      hindrances: hindrances.map(({ says, facts }) => ({ says, facts })),
    }
  })
  return {
    formatVersion: 1,
    condition: condition.gate,
    goal: condition.goal,
    reached: told.every(({ reached }) => reached),
    seconds: ms / 1000,
    timeoutSeconds: options.timeout / 1000,
    looks,
    projects: told,
    requestsSent: client.requestsSent,
  }
}
