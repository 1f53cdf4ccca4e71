import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { StateAddressError } from '../../errors/index.ts'
import { type System, withFlagsOf } from '../machine/system.ts'
import { schemeOf } from '../machine/paths.ts'
import { refusePassword, type Where } from './address.ts'
import { fileStore } from './file.ts'
import { defaultBranch, gitAddress } from './git/address.ts'
import { httpAddress, refusePlain } from './http/address.ts'
import { postgresAddress, stateName } from './postgres/address.ts'
import type { Store } from './store.ts'

/** How addresses of one scheme are used. Only the store that is opened is loaded. */
interface Scheme {
  /** @throws StateAddressError if the address is invalid; the error shows no secret of it */
  check(address: string): void
  /** @param where `statePath` is an address of this scheme */
  open(where: Where, system: System): Promise<Store>
}

/** For a state on a branch. */
const git: Scheme = {
  check: gitAddress,
  open: async ({ statePath, folder, name = '' }, system) => {
    const address = gitAddress(statePath)
    const branch = address.branch ?? defaultBranch(name)
    const { gitStore } = await import('./git.ts')
    return gitStore({ ...address, branch }, folder ?? system.cwd, system)
  },
}

/** For Terraform's http backend. */
const http: Scheme = {
  check: httpAddress,
  open: async ({ statePath, allowHttp }, system) => {
    const address = httpAddress(statePath)
    refusePlain(address, allowHttp)
    const { httpStore } = await import('./http.ts')
    return httpStore(address, system)
  },
}

/** For a state in a database. */
const postgres: Scheme = {
  check: postgresAddress,
  open: async ({ statePath, name = '' }, system) => {
    const address = postgresAddress(statePath)
    const { postgresStore } = await import('./postgres.ts')
    return postgresStore({ ...address, state: stateName(address, name) }, system)
  },
}

/** All supported schemes. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['git', git],
  ['git+ssh', git],
  ['git+https', git],
  ['git+http', git],
  ['git+file', git],
  ['https', http],
  ['http', http],
  ['postgres', postgres],
  ['postgresql', postgres],
])

/**
 * Normalizes an address for the stores; a path becomes absolute.
 *
 * @param text as typed by a person
 * @param folder base of relative paths
 * @throws StateAddressError; it shows nothing of an address with a password
 */
export const addressFrom = (text: string, folder: string): string => {
  const name = schemeOf(text)
  if (name === undefined) {
    refuseScp(text, folder)
    return resolve(folder, text)
  }
  refusePassword(text)
  schemeNamed(name).check(text)
  return text
}

/** The short form that git accepts for `ssh://`. */
const scp = /^(?<user>[\w.-]+)@(?<host>[\w.-]+):(?<path>[^\\].*)$/u

const refuseScp = (text: string, folder: string): void => {
  const { user, host, path = '' } = scp.exec(text)?.groups ?? {}
  if (user === undefined || existsSync(resolve(folder, text.split('/')[0] ?? ''))) return
  throw new StateAddressError('the address of the state is in a form that only git understands', {
    hint: `Write git+ssh://${user}@${host}/${path.replace(/^\//u, '')}`,
  })
}

/** The store at an address; a path means a file. */
export const storeAt = async (where: Where, given: System): Promise<Store> => {
  const system = withFlagsOf(where, given)
  const name = schemeOf(where.statePath)
  return name === undefined ? fileStore(where.statePath, system) : schemeNamed(name).open(where, system)
}

const schemeNamed = (name: string): Scheme => {
  const found = SCHEMES.get(name)
  if (found !== undefined) return found
  const known = [...SCHEMES.keys()].map((each) => `${each}:`)
  throw new StateAddressError(
    `a state cannot be kept at an address that begins with ${JSON.stringify(`${name}:`)}`,
    { hint: `Name a file, or an address that begins with one of ${known.join(', ')}.` },
  )
}
