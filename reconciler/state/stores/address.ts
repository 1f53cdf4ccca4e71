import { resolve } from 'node:path'
import { StateAddressError } from '../../errors/index.ts'
import { gitAddress } from './git/address.ts'

/** A scheme has two letters at least: one is a drive of Windows. */
const scheme = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?!\\)/u

/** What checks an address, by its scheme. */
const CHECKS: Readonly<Record<string, (text: string) => unknown>> = {
  git: gitAddress,
  'git+ssh': gitAddress,
  'git+https': gitAddress,
  'git+http': gitAddress,
  'git+file': gitAddress,
}

/** The scheme of an address, or undefined for a path. */
export const schemeOf = (address: string): string | undefined =>
  scheme.exec(address)?.groups?.['scheme']?.toLowerCase()

/**
 * An address as stores take it: a path is made absolute.
 *
 * @param text as somebody has written it
 * @param folder where a path stands
 * @throws StateAddressError; it shows nothing of an address that has a password
 */
export const addressFrom = (text: string, folder: string): string => {
  const found = schemeOf(text)
  if (found === undefined) return resolve(folder, text)
  refusePassword(text)
  const check = Object.hasOwn(CHECKS, found) ? CHECKS[found] : undefined
  check?.(text)
  if (check !== undefined) return text
  throw new StateAddressError(
    `a state cannot be kept at an address that begins with ${JSON.stringify(`${found}:`)}`,
    {
      hint: `Name a file, or an address that begins with one of ${Object.keys(CHECKS)
        .map((each) => `${each}:`)
        .join(', ')}.`,
    },
  )
}

const refusePassword = (text: string): void => {
  const authority = /^[^:]+:\/\/(?<authority>[^/?#]*)/u.exec(text)?.groups?.['authority'] ?? ''
  const [user] = authority.split('@').slice(0, -1)
  if (user?.includes(':') !== true) return
  throw new StateAddressError('the address of the state has a password in it', {
    hint: 'Take it out: what is at hand there for credentials is used, such as the credential helpers of git.',
  })
}
