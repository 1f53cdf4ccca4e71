import { resolve } from 'node:path'
import { isNoFile } from '../../disk/files.ts'
import { UsageError } from '../../errors/index.ts'
import { print, type Io } from '../../io.ts'
import { digestOf, readPlanFile, savePlan, savedPlanText } from '../../plan-file/file.ts'
import { stateOf, type SavedPlan } from '../../plan-file/shape.ts'
import type { PlanDocument } from '../../render/document/plan-model.ts'
import { shellWord } from '../../text/display.ts'
import { explainedAt } from './explained-entry.ts'
import { refuseBesidePlan, sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { type ReadRun, withRun } from '../run/read-run.ts'
import { reportedPlan } from '../run/reported-plan.ts'
import { namedStream } from '../output/output.ts'
import { headOf, reporter } from '../output/report.ts'
import { styleFactsOf } from '../output/style-facts.ts'
import { tell } from '../output/tell.ts'
import { busyWarnings } from '../run/unknown-outcomes.ts'

interface PlanOptions extends CommonOptions {
  readonly out?: string
  readonly detailedExitcode?: boolean
  /** The entry whose values to explain. */
  readonly explain?: string
}

/** Compares declared with live and recorded. Only reads, and writes nothing. */
export const plan = async (io: Io, options: PlanOptions, planFile?: string): Promise<number> => {
  if (planFile !== undefined) refuseBesidePlan(options, planFile)
  if (planFile !== undefined && options.explain !== undefined)
    throw new UsageError('--explain cannot be combined with a saved plan: it reads the manifests')
  // Otherwise the next apply of that file would apply an older plan, or none.
  if (planFile !== undefined && options.out !== undefined)
    throw new UsageError('--out cannot be combined with a saved plan, which is shown as it is', {
      hint: 'Omit the file to make a new plan, or copy the file.',
    })
  if (planFile !== undefined) return show(io, options, planFile)
  const report = await reporter(io, options, 'plan')
  const started = io.now()
  return withRun(io, options, { look: 'for-plan', withRaw: true }, async (found) => {
    const { declaration } = found.loaded
    const document = await documentOf(io, options, found)
    const saved =
      options.out === undefined
        ? undefined
        : await save(io, options.out, savedPlanOf(found, document, options))
    const head = { title: 'plan', ...headOf(declaration, started, io) }
    const told = saved === undefined ? document : { ...document, saved }
    await report({ document: told, head }, styleFactsOf(document.about, found.run.now))
    if (saved !== undefined && options.quiet !== true) await sayHow(io, saved, document, options)
    return exitCode(document, options)
  })
}

const documentOf = async (io: Io, options: PlanOptions, found: ReadRun): Promise<PlanDocument> => {
  const { loaded, session, run } = found
  const explained = options.explain === undefined ? undefined : explainedAt(options.explain, { loaded, run })
  const { document, missing } = await reportedPlan(io, options, found)
  const warnings = [...busyWarnings(session), ...document.warnings, ...missing.map(sayMissing)]
  return { ...document, warnings, ...(explained === undefined ? {} : { explained }) }
}

/** The content of a saved plan: the plan, and its inputs. */
const savedPlanOf = (
  { client, baseUrl, loaded, session, run }: ReadRun,
  document: PlanDocument,
  options: PlanOptions,
): SavedPlan => ({
  formatVersion: 1,
  savedPlan: true,
  baseUrl,
  now: run.now.toISOString(),
  serviceVersion: client.serviceVersion,
  stateFile: options.state,
  files: options.file,
  vars: options.var,
  varFiles: options.varFile,
  target: options.target,
  sources: loaded.sources,
  state: stateOf(session),
  document,
})

/** A plan needs no secrets, but its apply does: reported while there is time. */
const sayMissing = ({ what, where }: { readonly what: string; readonly where: string }): string =>
  `${where}: ${what}; apply needs it`

type Saved = NonNullable<PlanDocument['saved']>

const save = async (io: Io, file: string, content: SavedPlan): Promise<Saved> => {
  const stream = namedStream(io, file)
  await (stream === undefined
    ? savePlan(resolve(io.cwd, file), content)
    : print(stream, savedPlanText(content)))
  return { file, sha256: digestOf(savedPlanText(content)) }
}

/** Says how to apply the saved plan, if it is a file; one that was piped has no name. */
const sayHow = async (
  io: Io,
  { file, sha256 }: Saved,
  { changes, needs = [] }: PlanDocument,
  options: PlanOptions,
): Promise<void> => {
  if (await isNoFile(resolve(io.cwd, file))) return
  const needed = [...needs, ...changes.flatMap((change) => change.needs ?? [])].map(({ flag }) => flag)
  const flags = [...new Set(needed)].map((flag) => ` ${flag}`).join('')
  // Manifests, variables and state are in the plan.
  const place = sameFlagsOf({ ...options, file: [], var: [], varFile: [], state: undefined })
  const command = `deploymgmt apply ${shellWord(file)} --expect-sha256 ${sha256}${flags}${place}`
  await tell(io, `Saved to ${file}. To carry out exactly this: ${command}`)
}

const exitCode = (
  { inSync, summary, changes, strangers, toBeSettled = [] }: PlanDocument,
  options: PlanOptions,
): number => {
  if (strangers !== undefined) return 3
  if (options.detailedExitcode !== true) return 0
  const differs =
    options.target.length > 0
      ? toBeSettled.length > 0 || changes.some(({ action }) => action !== 'unchanged' && action !== 'expired')
      : !inSync
  return differs || (options.strict === true && summary.unverifiable > 0) ? 2 : 0
}

/** Shows a saved plan; reads nothing else. */
const show = async (io: Io, options: PlanOptions, planFile: string): Promise<number> => {
  const report = await reporter(io, options, 'plan')
  const { plan: saved, sha256, warning } = await readPlanFile(resolve(io.cwd, planFile), planFile)
  if (warning !== undefined) await tell(io, `Warning: ${warning}`)
  const head = { title: 'saved plan', asOf: saved.now, projects: [], declared: 0, seconds: 0 }
  await report(
    { document: { ...saved.document, saved: { file: planFile, sha256 } }, head },
    styleFactsOf(saved.document.about, new Date(saved.now)),
  )
  return exitCode(saved.document, { ...options, target: saved.target })
}
