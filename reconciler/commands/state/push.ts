import { resolve } from 'node:path'
import type { Io } from '../../io.ts'
import { pushRescue, pushState, readPushed } from '../../state/index.ts'
import type { CommonOptions } from '../line/options.ts'
import { shownState, resolveState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { reportDone } from '../output/report-done.ts'
import { completing, headIfAny } from './change.ts'

/** Merges what a command could not record, or writes a whole state if there is none. */
export const statePush = (io: Io, options: CommonOptions, file: string): Promise<number> =>
  completing(io, (signal) => push(io, options, file, signal))

const push = async (io: Io, options: CommonOptions, file: string, signal: AbortSignal): Promise<number> => {
  const head = await headIfAny(io, options)
  const { statePath, folder, allowHttp, sameFlags } = await resolveState(io, options, head)
  const at = { statePath, folder, allowHttp, sameFlags, lockTimeout: options.lockTimeout, signal }
  const path = resolve(io.cwd, file)
  const pushed = await readPushed(path, systemOf(io))
  if (pushed.is === 'state') {
    const { state } = pushed
    const { place, isNew } = await pushState({ ...at, name: head?.name }, { state, path }, systemOf(io))
    const shown = shownState(io, place)
    const what = isNew
      ? `The state of ${file} is now at ${shown}, serial ${state.serial}.`
      : `${shown} already has the state of ${file}, serial ${state.serial}; nothing was written.`
    await reportDone(io, options, [what, `Next: deploymgmt plan${sameFlags}`])
    return 0
  }
  const { place, merged, known } = await pushRescue(at, pushed.rescue, systemOf(io))
  const others = known === 0 ? '' : ` ${known} more had already been found out.`
  await reportDone(io, options, [
    merged === 0
      ? `Nothing of ${file} is missing at ${place}, and it no longer holds a lock there.`
      : `${merged} ${merged === 1 ? 'record' : 'records'} of ${file} ${merged === 1 ? 'is' : 'are'} now at ${place}, and the lock was removed.${others}`,
    `The file is no longer needed. Next: deploymgmt plan${sameFlags}`,
  ])
  return 0
}
