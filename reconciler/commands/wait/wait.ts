import { retryLimits } from '@deploymgmt/provider/api'
import { INTERRUPTED } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { conditionOf, type Condition } from '../../conditions/index.ts'
import { loadDeclaration } from '../../config/index.ts'
import { ManifestNotFoundError, UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { Waited } from '../../render/document/reports.ts'
import { shellWord } from '../../text/display.ts'
import { duration } from '../../text/instants.ts'
import type { Progress } from '../../text/progress.ts'
import { manifestsOf } from '../line/options.ts'
import { abortAfter } from '../service/abort-after.ts'
import { progressOn } from '../output/live-line.ts'
import { projectNamed, sayProject } from '../resolve/project.ts'
import { reporter } from '../output/report.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { withClient } from '../service/with-client.ts'
import { lookAt, reportSeen, type Hindrances, type Reported, type Waiting, type WaitOptions } from './look.ts'

/** The first and the longest delay between looks, milliseconds. */
const FIRST_MS = 2_000
export const LONGEST_MS = 15_000

/** Waits until a condition holds in all given projects; exit code 2 if it does not in time. */
export const wait = async (io: Io, options: WaitOptions, what: string): Promise<number> => {
  const condition = conditionNamed(what)
  const report = await reporter(io, options, 'waited')
  const projects = await projectsIn(io, options, condition)
  const [stopped, late] = [new AbortController(), new AbortController()]
  const stopListening = io.onInterrupt(() => stopped.abort())
  const until = io.now().getTime() + options.timeout
  const putOff = abortAfter(io, options.timeout + LAST_LOOK_MS, late)
  const [signal, unmet] = [stopped.signal, new Set(options.except)]
  const waiting = { io, options, condition, projects, signal, late: late.signal, until, unmet }
  try {
    return await withClient(
      io,
      options,
      async (client) => {
        const waited = await untilHeld({ ...waiting, client })
        if (waited === undefined) return INTERRUPTED
        for (const name of unmet)
          await tell(io, `Warning: --except ${shellWord(name)} matches nothing that was found.`)
        await report({ document: waited }, { names: projects })
        return waited.reached ? 0 : 2
      },
      { signal: AbortSignal.any([signal, late.signal]), retryUntil: until },
    )
  } catch (error) {
    if (!signal.aborted) throw error
    return INTERRUPTED
  } finally {
    stopListening()
    putOff()
  }
}

/** A look that is under way when the time is over may take as long as one of its requests. */
const LAST_LOOK_MS = retryLimits.deadlineMs

const conditionNamed = (what: string): Condition => {
  const condition = conditionOf(what)
  if (condition === undefined) throw new RangeError(`nothing waits for ${what}`)
  return condition
}

/** Names by project id, in the given order. Without a manifest, only ids are accepted. */
const projectsIn = async (
  io: Io,
  options: WaitOptions,
  { wait: what }: Condition,
): Promise<ReadonlyMap<string, string>> => {
  const { file, project } = options
  if (project.length === 0)
    throw new UsageError('wait needs --project', {
      hint: `As in: deploymgmt wait ${what} --project payments`,
    })
  const names = await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds).then(
    ({ declaration }) => declaration.projectNames,
    (error: unknown) => {
      if (file.length > 0 || !(error instanceof ManifestNotFoundError)) throw error
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

/** Looks until the condition holds everywhere, or the time is over; undefined if interrupted. */
const untilHeld = async (waiting: Waiting): Promise<Waited | undefined> => {
  const { io, options, signal, until } = waiting
  const { pause, random } = systemOf(io)
  const left = (): number => Math.max(0, until - io.now().getTime())
  const progress = progressOf(waiting)
  const reported: Reported = { said: '' }
  try {
    for (let wanted = FIRST_MS, looks = 1; ; wanted = Math.min(wanted * 1.5, LONGEST_MS), looks += 1) {
      const seen = await lookAt(waiting, progress, reported)
      if (seen !== undefined) reportSeen(waiting, { progress, seen, reported })
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

const progressOf = ({ io, options, condition, projects }: Waiting): Progress => {
  const progress = progressOn(io, options.quiet === true)
  const where = [...projects.values()].join(', ')
  progress.line(`Waiting for up to ${duration(options.timeout)} until ${condition.goal}: ${where}`)
  return progress
}

interface Facts {
  readonly waiting: Waiting
  readonly seen: Hindrances
  readonly looks: number
  readonly ms: number
}

const documentOf = ({ waiting, seen, looks, ms }: Facts): Waited => {
  const { condition, projects, options, client } = waiting
  const reported = [...seen].map(([projectId, hindrances]) => {
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
    reached: reported.every(({ reached }) => reached),
    seconds: ms / 1000,
    timeoutSeconds: options.timeout / 1000,
    looks,
    projects: reported,
    requestsSent: client.requestsSent,
  }
}
