import { resolve } from 'node:path'
import type { Io } from '../../io.ts'
import { pushRescue, readRescue } from '../../state/index.ts'
import type { CommonOptions } from '../line/options.ts'
import { outsideOf, stateMeantBy } from '../meant/state-meant.ts'
import { told } from './change.ts'
import { headIfAny } from './copy.ts'

/** Brings home what a command could not record. */
export const statePush = async (io: Io, options: CommonOptions, file: string): Promise<number> => {
  const head = await headIfAny(io, options)
  const { statePath, folder, allowHttp, sameFlags } = await stateMeantBy(io, options, head)
  const rescue = await readRescue(resolve(io.cwd, file), outsideOf(io))
  const { place, merged, known } = await pushRescue(
    { statePath, folder, allowHttp, sameFlags, lockTimeout: options.lockTimeout },
    rescue,
    outsideOf(io),
  )
  const others = known === 0 ? '' : ` ${known} more had been found out since.`
  await told(io, options, [
    merged === 0
      ? `Nothing of ${file} is missing at ${place}, and it holds no lock there.`
      : `${merged} ${merged === 1 ? 'record' : 'records'} of ${file} ${merged === 1 ? 'is' : 'are'} now at ${place}, and the lock is gone.${others}`,
    `The file is not needed any more. Next: deploymgmt plan${sameFlags}`,
  ])
  return 0
}
