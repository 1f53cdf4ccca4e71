import { StateConflictError, StateMovedError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import {
  addressFrom,
  copyState,
  expectedAt,
  nothingAt,
  readStored,
  schemeOf,
  whereSilencesAre,
  type Copying,
  type Where,
} from '../../state/index.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { shownState, resolveState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { reportDone } from '../output/report-done.ts'
import { completing, headIfAny } from './change.ts'
import { leftUnknown } from './refuse-while-unknown.ts'

interface CopyOptions extends CommonOptions {
  readonly from: string
  readonly to: string
}

/**
 * Moves a state to another store. The state itself names its manifest; if there is a manifest, it must have that
 * name.
 */
export const stateCopy = async (io: Io, options: CopyOptions): Promise<number> => {
  const head = await headIfAny(io, options)
  const { allowHttp = false, from: state } = options
  const { folder } = await resolveState(io, { state, allowHttp }, head)
  const at = (address: string, name = head?.name ?? '') => ({
    statePath: addressFrom(address, io.cwd),
    sameFlags: sameFlagsOf({ ...options, state: address }),
    folder,
    allowHttp,
    name,
  })
  const from = at(options.from)
  const found = await expectedAt(from, systemOf(io))
  if (found === undefined) throw nothingAt(from.statePath, from.sameFlags)
  const expect = { name: head?.name ?? found.name, baseUrl: found.baseUrl }
  const to = at(options.to, expect.name)
  let hasSilences = false
  const copied = await completing(io, async (signal) => {
    const copying = { from, to, expect, lockTimeout: options.lockTimeout, signal }
    // Silences first: once the state is moved, a repeated command has nothing left to do.
    const first = async (): Promise<void> => {
      hasSilences = await copySilences(io, copying)
    }
    return copyState({ ...copying, first }, systemOf(io))
  })
  if (copied.is === 'unsettled')
    throw leftUnknown(copied.unknown, { io, options: { ...options, state: options.from } })
  // Other clones work with their copy of the file until they get the marker.
  const others =
    schemeOf(from.statePath) === undefined
      ? ' If others have clones of it, commit and push the manifest and the marker now.'
      : ''
  await reportDone(io, options, [
    `The state is now at ${shownState(io, copied.to)}, serial ${copied.serial}${hasSilences ? ', and its silences beside it' : ''}. A marker at ${shownState(io, copied.from)} says so, and no command uses that state any more.`,
    head?.state?.text === options.to
      ? `The manifest already names it.${others}`
      : `Next: write \`state: ${options.to}\` at the top of the manifest.${others}`,
  ])
  return 0
}

/** Windows of silences that were left behind would belong to nobody. @returns whether there were any */
const copySilences = async (io: Io, { from, to, expect, ...patience }: Copying): Promise<boolean> => {
  const [source, target] = [from, to].map((where) => whereSilencesAre({ ...where, name: expect.name }))
  if (source === undefined || target === undefined || (await isElsewhere(io, source))) return false
  const own = { ...expect, name: source.name }
  const copied = await copyState({ from: source, to: target, expect: own, ...patience }, systemOf(io))
  if (copied.is === 'done') return true
  throw new StateConflictError('the state was not copied: it is not known whether a silence was opened', {
    where: shownState(io, source.statePath),
    hint: 'deploymgmt silence end finds out, or says when the silence is over; then run the command again.',
  })
}

/**
 * Whether there are none, or an earlier, interrupted copy has moved them. Before the first save, there may be only a
 * journal.
 */
const isElsewhere = async (io: Io, where: Where): Promise<boolean> => {
  const { state, journal } = await readStored(where, systemOf(io))
  if (state === undefined) return journal === undefined
  return expectedAt(where, systemOf(io)).then(
    () => false,
    (error: unknown) => {
      if (error instanceof StateMovedError) return true
      throw error
    },
  )
}
