import { resolve } from 'node:path'
import type { Client } from '@deploymgmt/provider/api'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { InternalError, ManifestNotFoundError, UsageError } from '../errors/index.ts'
import { print, type Io } from '../io.ts'
import { readPlanFile } from '../plan-file/file.ts'
import type { SavedPlan } from '../plan-file/shape.ts'
import { runApply, type ApplyOptions } from './run/apply-run.ts'
import { refusalAs } from './run/apply-summary.ts'
import { refuseBesidePlan } from './line/options.ts'
import { withClientToLoad } from './resolve/load.ts'
import { withOutput } from './output/output.ts'
import { tell } from './output/tell.ts'
import { interruptOf } from './service/interrupt.ts'

/** Plans, shows, asks, applies. The first interrupt stops dispatching and records requests in flight. */
export const apply = (io: Io, given: ApplyOptions, planFile?: string): Promise<number> =>
  withOutput(io, given, (into) => applyInto(into, given, planFile))

const STOPS = 'nothing more is sent; requests in flight are awaited and recorded'

const applyInto = async (io: Io, given: ApplyOptions, planFile?: string): Promise<number> => {
  const started = io.now().getTime()
  const { signal, stopListening } = interruptOf(io, STOPS)
  let sender: Pick<Client, 'requestsSent'> | undefined
  let saved: SavedPlan | undefined
  try {
    saved = planFile === undefined ? noPlanFile(given) : await planFrom(io, given, planFile)
    const options = saved === undefined ? given : { ...given, ...meantBy(saved, given) }
    return await withClientToLoad(
      io,
      options,
      (client, { baseUrl, fence }) => {
        sender = client
        return runApply({ io, options, client, baseUrl, fence, signal }, saved)
      },
      { signal },
    )
  } catch (error) {
    const ours = error instanceof DeploymgmtError ? beside(saved, error) : new InternalError(error)
    const seconds = (io.now().getTime() - started) / 1000
    const refusal = await refusalAs(given.format, ours, { seconds, requestsSent: sender?.requestsSent ?? 0 })
    if (refusal !== undefined) await print(io.stdout, refusal)
    throw error instanceof DeploymgmtError ? ours : error
  } finally {
    stopListening()
  }
}

/**
 * Completes an error about files: a plan names them relative to its folder, and flags beside the plan cannot name
 * others.
 */
const beside = (saved: SavedPlan | undefined, error: DeploymgmtError): DeploymgmtError =>
  saved === undefined || !(error instanceof ManifestNotFoundError)
    ? error
    : new ManifestNotFoundError(error.message, {
        hint: 'Apply the plan in the folder where it was made.',
        cause: error,
      })

const noPlanFile = ({ expectSha256 }: ApplyOptions): undefined => {
  if (expectSha256 !== undefined)
    throw new UsageError('--expect-sha256 is the digest of a saved plan, but no saved plan was given', {
      hint: 'Name the file: deploymgmt apply FILE --expect-sha256 DIGEST',
    })
}

const planFrom = async (io: Io, given: ApplyOptions, planFile: string): Promise<SavedPlan> => {
  refuseBesidePlan(given, planFile)
  const { plan, warning } = await readPlanFile(resolve(io.cwd, planFile), planFile, given.expectSha256)
  if (warning !== undefined) await tell(io, `Warning: ${warning}`)
  return plan
}

/** A saved plan determines manifests, variables, targets and state; only another state can still be named. */
const meantBy = ({ files, vars, varFiles = [], target, stateFile }: SavedPlan, given: ApplyOptions) => ({
  file: files,
  var: vars,
  varFile: varFiles,
  target,
  state: given.state ?? stateFile,
})
