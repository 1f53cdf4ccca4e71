import { resolve } from 'node:path'
import { isNoFile } from '../disk/files.ts'
import { type Io, print } from '../io.ts'
import { readPlanFile, savePlan, savedPlanText } from '../plan-file/file.ts'
import type { SavedPlan } from '../plan-file/shape.ts'
import { planDocument, type PlanDocument } from '../render/document.ts'
import { commandWords } from '../render/words.ts'
import type { ReadSession } from '../state/index.ts'
import { shellWord } from '../text/display.ts'
import { DEFAULT_STATE, refuseBesidePlan, type CommonOptions } from './options.ts'
import { withRun } from './read-run.ts'
import { namedStream } from './output.ts'
import { headOf, reporter } from './report.ts'
import { tell } from './tell.ts'
import { busyWarnings } from './unknown-outcomes.ts'

export interface PlanOptions extends CommonOptions {
  readonly out?: string
  readonly detailedExitcode?: boolean
}

/** Declared against live and recorded; sends reads alone and writes nothing. */
export const plan = async (io: Io, options: PlanOptions, planFile?: string): Promise<number> => {
  if (planFile !== undefined) refuseBesidePlan(options)
  if (planFile !== undefined) return show(io, options, planFile)
  const report = await reporter(io, options, 'plan')
  const started = io.now()
  return withRun(io, options, 'for-plan', async ({ client, baseUrl, loaded, session, run }) => {
    const { declaration, sources } = loaded
    const words = commandWords(declaration.projectNames)
    const { requestsSent } = client
    const made = planDocument(run.plan, words, { requestsSent, all: options.all === true })
    const noticed = withNotices(made, session.exists, client.skewMs)
    const document = { ...noticed, warnings: [...busyWarnings(session), ...noticed.warnings] }
    if (options.out !== undefined)
      await save(io, options.out, {
        formatVersion: 1,
        savedPlan: true,
        baseUrl,
        now: run.now.toISOString(),
        serviceVersion: client.serviceVersion,
        stateFile: options.state === DEFAULT_STATE ? undefined : options.state,
        files: options.file,
        vars: options.var,
        target: options.target,
        sources,
        state: stateOf(session),
        document,
      })
    const head = { title: 'plan', ...headOf(declaration, started, io) }
    await report({ document, head }, declaration.projectNames)
    if (
      options.out !== undefined &&
      options.quiet !== true &&
      !(await isNoFile(resolve(io.cwd, options.out)))
    )
      await tell(
        io,
        `Saved to ${options.out}. To carry out exactly this: deploymgmt apply ${shellWord(options.out)}${options.local === true ? ' --local' : ''}`,
      )
    return exitCode(document, options)
  })
}

const save = (io: Io, out: string, made: SavedPlan): Promise<void> => {
  const stream = namedStream(io, out)
  return stream === undefined ? savePlan(resolve(io.cwd, out), made) : print(stream, savedPlanText(made))
}

/** Which state a plan was made from. */
export const stateOf = ({ exists, state }: Pick<ReadSession, 'exists' | 'state'>): SavedPlan['state'] => ({
  lineage: exists ? state.lineage : '',
  serial: state.serial,
  exists,
})

/** Warnings that do not come from planning itself. */
export const withNotices = (
  document: PlanDocument,
  hasState: boolean,
  skewMs: number | undefined,
): PlanDocument => {
  const creates = document.changes.some(({ action }) => action === 'create')
  const warnings = [
    ...document.warnings,
    ...(creates && !hasState
      ? ['there is no state file: apply will create nothing until deploymgmt state init has begun one']
      : []),
    ...(skewMs !== undefined && Math.abs(skewMs) > 5_000
      ? [
          `the clocks of this machine and of the service differ by ${Math.round(Math.abs(skewMs) / 1000)} s; instants are judged by the service's clock`,
        ]
      : []),
  ]
  return { ...document, warnings }
}

const exitCode = ({ inSync, summary, changes }: PlanDocument, options: PlanOptions): number => {
  if (options.detailedExitcode !== true) return 0
  const differs =
    options.target.length > 0
      ? changes.some(({ action }) => action !== 'unchanged' && action !== 'expired')
      : !inSync
  return differs || (options.strict === true && summary.unverifiable > 0) ? 2 : 0
}

/** Shows a plan that was saved before; reads nothing else. */
const show = async (io: Io, options: PlanOptions, planFile: string): Promise<number> => {
  const report = await reporter(io, options, 'plan')
  const { plan: saved, warning } = await readPlanFile(resolve(io.cwd, planFile), planFile)
  if (warning !== undefined) await tell(io, warning)
  const head = { title: 'plan', projects: 0, declared: 0, seconds: 0 }
  await report({ document: saved.document, head })
  return exitCode(saved.document, { ...options, target: saved.target })
}
