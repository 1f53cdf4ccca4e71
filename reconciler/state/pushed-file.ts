import { StateCorruptError } from '../errors/index.ts'
import { parseJson } from '../disk/json.ts'
import type { StateFile } from './contents/model.ts'
import { rescueIn, type Rescue } from './contents/rescue.ts'
import { readFailure } from './machine/failures.ts'
import { type System, systemWith } from './machine/system.ts'
import { checkedState, refuseLaterVersion } from './stores/state-file.ts'

/** The content of a file that is to be pushed. */
type PushedFile =
  | { readonly is: 'rescue'; readonly rescue: Rescue }
  | { readonly is: 'state'; readonly state: StateFile }

const NAMED =
  'Give the unchanged rescue file that a command named in its message, or what deploymgmt state pull has printed.'

const MARK = Buffer.from('\uFEFF')

/** @throws StateReadError, StateCorruptError, StateVersionError; the error with which a state is refused */
export const readPushed = async (path: string, given: Partial<System> = {}): Promise<PushedFile> => {
  const { files } = systemWith(given)
  const read = await files.read(path).catch((error: unknown) => {
    throw readFailure('the file', path, error, NAMED)
  })
  // Some shells and editors begin a file with a byte order mark.
  const bytes = read.indexOf(MARK) === 0 ? read.subarray(MARK.length) : read
  const refuse = (what: string): StateCorruptError =>
    new StateCorruptError(`the file cannot be pushed: ${what}`, { where: path, hint: NAMED })
  const parsed = parseJson(bytes.toString())
  if ('fault' in parsed) throw refuse(parsed.fault.message)
  const { value } = parsed
  if (typeof value === 'object' && value !== null) {
    if ('type' in value && value.type === 'rescue') {
      refuseLaterVersion('rescue file', path, value)
      return { is: 'rescue', rescue: rescueIn(value, refuse) }
    }
    if ('lineage' in value) return { is: 'state', state: checkedState({ at: path, bytes }, undefined) }
  }
  throw refuse('it is neither a rescue file nor a state')
}
