import {
  anything,
  constant,
  filled,
  fromZero,
  instant,
  listOf,
  optional,
  readAs,
  shapeOf,
  text,
} from '../../../disk/check.ts'
import { parseJson } from '../../../disk/json.ts'
import { StateAddressError, StateCorruptError } from '../../../errors/index.ts'
import { isPage } from './server.ts'
import { type LockOwner, parseOwner, type UnreadableOwner } from '../../lock/lock-owner.ts'
import { toJson } from '../../../text/json.ts'

/** The content of a document. */
export interface Contents {
  /** The lineage of the document; servers refuse a save with a different one. */
  readonly lineage: string
  /** Where it was tried whether the server refuses a save under a wrong lock. */
  readonly probed?: string | undefined
  /** Set if the server accepted it. */
  readonly isUnfenced?: true | undefined
  readonly owner?: LockOwner | UnreadableOwner | undefined
  readonly unlockedAt?: string | undefined
  readonly landedAt?: string | undefined
  /** The parsed JSON of the state. */
  readonly state?: unknown
  readonly journal?: { readonly header: unknown; readonly records: readonly unknown[] } | undefined
}

/** One version of a document. */
export interface Version {
  readonly serial: number
  /** New with each save. */
  readonly save: string
  readonly contents: Contents
}

/** A version that was read, with a digest of its bytes. */
export type StoredVersion = Version & { readonly print: string }

const documentCheck = shapeOf({
  version: constant(4),
  serial: fromZero,
  lineage: filled,
  deploymgmt: shapeOf({
    save: filled,
    probed: optional(text),
    isUnfenced: optional(constant(true)),
    owner: optional(anything),
    unlockedAt: optional(instant),
    landedAt: optional(instant),
    state: optional(anything),
    journal: optional(shapeOf({ header: anything, records: listOf(anything) })),
  }),
})

/**
 * Terraform refuses a state that contains a resource of an unknown mode, so no `terraform apply` replaces this
 * document by mistake.
 */
const NOT_OF_TERRAFORM = [
  { mode: 'deploymgmt', type: 'deploymgmt', name: 'state', provider: 'deploymgmt', instances: [] },
]

/** A document similar enough to a Terraform state for servers that inspect it. */
export const documentOf = ({ serial, save, contents: { lineage, ...rest } }: Version): object => ({
  version: 4,
  terraform_version: '1.0.0',
  serial,
  lineage,
  outputs: {},
  resources: NOT_OF_TERRAFORM,
  deploymgmt: { save, ...rest },
})

/** @throws StateAddressError if the content is something else; StateCorruptError */
export const versionIn = (bytes: Uint8Array, place: string): Version => {
  const found = Buffer.from(bytes).toString()
  if (isPage(found)) throw page(place)
  const parsed = parseJson(found)
  const refuse = (what: string): StateCorruptError =>
    new StateCorruptError(`the document of the state cannot be used: ${what}`, { where: place })
  if ('fault' in parsed) throw refuse(parsed.fault.message)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || !('deploymgmt' in value)) throw notOurs(place)
  const { serial, lineage, deploymgmt } = readAs(documentCheck, value, (_, words) => refuse(words))
  const { save, owner, ...contents } = deploymgmt
  const held = owner === undefined ? {} : { owner: parseOwner(Buffer.from(JSON.stringify(owner))) }
  return { serial, save, contents: { lineage, ...contents, ...held } }
}

const notOurs = (where: string): StateAddressError =>
  new StateAddressError('what is at the address of the state is not a state of deploymgmt', {
    where,
    hint: 'Give the state an address of its own, not that of a Terraform state. What is there was left as it is.',
  })

const page = (where: string): StateAddressError =>
  new StateAddressError('the address of the state answers with a page for a browser, not a state', {
    where,
    hint: 'Check the address. If it answers with a login page, set DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD.',
  })

/** The bytes as `serializeState` produced them. */
export const stateBytes = (state: unknown): Buffer => Buffer.from(`${toJson(state, { indent: 2 })}\n`)
