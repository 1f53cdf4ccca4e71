import type { Client } from '@deploymgmt/provider/api'
import {
  DeadlineError,
  RateLimitedError,
  ServiceFailureError,
  UnreachableError,
  type DeploymgmtError,
} from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { conditionOf, type Condition, type Hindrance } from '../conditions/index.ts'
import { loadDeclaration } from '../config/index.ts'
import { ManifestNotFoundError, UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { Waited } from '../render/reports.ts'
import { surroundings } from '../state/index.ts'
import { visible } from '../text/display.ts'
import { duration } from '../text/instants.ts'
import { createProgress, type Progress } from '../text/progress.ts'
import type { CommonOptions } from './options.ts'
import { projectNamed, sayProject } from './project-named.ts'
import { reporter } from './report.ts'
import { outsideOf } from './state-meant.ts'
import { tell } from './tell.ts'
import { withClient } from './with-client.ts'

export interface WaitOptions extends CommonOptions {
  readonly project: readonly string[]
  readonly except: readonly string[]
  /** Milliseconds. */
  readonly timeout: number
}

/** It is looked again after so long, milliseconds: soon at first, and seldom where it takes long. */
const [FIRST_MS, LONGEST_MS] = [2_000, 15_000]

/** Waits until a condition holds in all of some projects; exit code 2 where it does not in time. */
export const wait = async (io: Io, options: WaitOptions, what: string): Promise<number> => {
  const condition = conditionNamed(what)
  const report = await reporter(io, options, 'waited')
  const projects = await projectsIn(io, options)
  const stopped = new AbortController()
  const stopListening = io.onInterrupt(() => stopped.abort())
  try {
    return await withClient(
      io,
      options,
      async (client) => {
        const waiting = { io, options, condition, client, projects, signal: stopped.signal }
        const waited = await untilHeld(waiting)
        if (waited === undefined) return 130
        await report({ document: waited }, projects)
        return waited.reached ? 0 : 2
      },
      stopped.signal,
    )
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    return 130
  } finally {
    stopListening()
  }
}

const conditionNamed = (what: string): Condition => {
  const condition = conditionOf(what)
  if (condition === undefined) throw new RangeError(`nothing waits for ${what}`)
  return condition
}

/** Names by project id, in the order in which they were given. Without a manifest, ids alone are understood. */
const projectsIn = async (io: Io, options: WaitOptions): Promise<ReadonlyMap<string, string>> => {
  const { file: files, var: vars, varFile: varFiles, project } = options
  if (project.length === 0)
    throw new UsageError('wait needs --project', {
      hint: 'As in: deploymgmt wait automation --project payments',
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
}

type Seen = ReadonlyMap<string, readonly Hindrance[]>

/** Looks until it holds everywhere, or the time is over; nothing where it was interrupted. */
const untilHeld = async (waiting: Waiting): Promise<Waited | undefined> => {
  const { io, options, condition, client, projects, signal } = waiting
  const { pause, random } = surroundings(outsideOf(io))
  const began = io.now().getTime()
  const progress = progressOf(waiting)
  let said = ''
  for (let wanted = FIRST_MS, looks = 1; ; wanted = Math.min(wanted * 1.5, LONGEST_MS), looks += 1) {
    const passed = () => io.now().getTime() - began
    const seen = await lookAt(waiting, () => passed() >= options.timeout)
    if (seen !== undefined)
      said = tellSeen({ progress, seen, projects, isTTY: io.stderr.isTTY === true }, said)
    const reached = seen !== undefined && [...seen.values()].every((each) => each.length === 0)
    if (reached || (seen !== undefined && passed() >= options.timeout)) {
      progress.finish()
      return documentOf({ condition, seen, projects, looks, ms: passed(), requestsSent: client.requestsSent })
    }
    const left = Math.max(0, options.timeout - passed())
    await pause(Math.min(Math.ceil(wanted * (0.75 + random() / 4)), left), signal).catch(() => undefined)
    if (signal.aborted) {
      progress.finish()
      await tell(io, 'Interrupted; nothing was changed.')
      return undefined
    }
  }
}

/** What stands against it in each project. A service that is away for a while is waited for, too, if there is time. */
const lookAt = async (
  { io, condition, client, projects, options }: Waiting,
  isOver: () => boolean,
): Promise<Seen | undefined> => {
  const isExcepted = ({ names }: Hindrance): boolean => names.some((name) => options.except.includes(name))
  try {
    const found = await Promise.all(
      [...projects.keys()].map(async (id) => {
        const all = await condition.look(client, id)
        return [id, all.filter((each) => !isExcepted(each))] as const
      }),
    )
    return new Map(found)
  } catch (error) {
    // A look can have taken all the time that was left.
    if (isOver() || !isPassing(error)) throw error
    await tell(io, `The service does not answer as it should, and is asked again: ${error.message}`)
    return undefined
  }
}

const isPassing = (error: unknown): error is DeploymgmtError =>
  [UnreachableError, DeadlineError, ServiceFailureError, RateLimitedError].some(
    (each) => error instanceof each,
  )

const progressOf = ({ io, options, condition, projects }: Waiting): Progress => {
  const progress = createProgress({
    write: (text) => io.stderr.write(text),
    isTTY: io.stderr.isTTY === true,
    width: io.stderr.columns ?? 80,
    quiet: options.quiet === true,
    now: () => io.now().getTime(),
  })
  const where = [...projects.values()].join(', ')
  progress.line(`Waiting for up to ${duration(options.timeout)} until ${condition.goal}: ${where}`)
  return progress
}

interface Telling {
  readonly progress: Progress
  readonly seen: Seen
  readonly projects: ReadonlyMap<string, string>
  readonly isTTY: boolean
}

/** A terminal has a line that changes; a log gets a line where something has. Answers what was said. */
const tellSeen = ({ progress, seen, projects, isTTY }: Telling, before: string): string => {
  const hindrances = [...seen].flatMap(([id, each]) =>
    each.map(({ says }) => visible(`${projects.get(id) ?? id}: ${says}`)),
  )
  const done = [...seen.values()].filter((each) => each.length === 0).length
  if (isTTY) {
    progress.update({ done, total: seen.size, current: hindrances.join(' · ') })
    return before
  }
  const now = hindrances.join('\n')
  const earlier = new Set(before.split('\n'))
  if (now !== before) {
    for (const each of hindrances) if (!earlier.has(each)) progress.line(each)
    progress.line(`${done} of ${seen.size} ${seen.size === 1 ? 'project' : 'projects'} reached`)
  }
  return now
}

interface Facts {
  readonly condition: Condition
  readonly seen: Seen
  readonly projects: ReadonlyMap<string, string>
  readonly looks: number
  readonly ms: number
  readonly requestsSent: number
}

const documentOf = ({ condition, seen, projects, looks, ms, requestsSent }: Facts): Waited => {
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
    looks,
    projects: told,
    requestsSent,
  }
}
