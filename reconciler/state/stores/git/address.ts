import { isLoopback } from '@deploymgmt/provider/api'
import { refusingWith } from '../address.ts'

/** The location of a state in git. */
export interface GitAddress {
  /** The address for git, or the name of a remote of the checkout. */
  readonly remote: { readonly url: string } | { readonly name: string }
  /** Undefined if the name of the manifest determines it. */
  readonly branch: string | undefined
}

const named = /^git:(?<name>[A-Za-z0-9_][\w.-]*)$/u
const url = /^git\+(?<url>(?<scheme>ssh|https|http|file):\/\/(?<authority>[^/?#]*)(?<path>\/.+))$/u
/** A name that `git check-ref-format --branch` accepts, without invisible characters and `#`, which separates it. */
const branchName =
  /^(?!HEAD$|[./-])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[^\p{C}\p{Z}~^:?*[\\#]+(?<![/.])$/u

/** @throws StateAddressError */
export const gitAddress = (text: string): GitAddress => {
  const [where = '', branch, ...more] = text.split('#')
  if (more.length > 0 || (branch !== undefined && !branchName.test(branch)))
    throw refused('what follows # is not the name of a branch')
  const { name } = named.exec(where)?.groups ?? {}
  if (name !== undefined) return { remote: { name }, branch }
  const found = url.exec(where)?.groups
  if (found === undefined) throw refused('it is not a valid address')
  const { scheme, authority = '' } = found
  // The user name of an https address is often a token.
  if (scheme !== 'ssh' && authority.includes('@'))
    throw refused('it contains a user name or a token; leave credentials to the credential helpers of git')
  // git addresses have no query, and one that is there is often a credential.
  if (scheme !== 'file' && found['path']?.includes('?') === true)
    throw refused('it contains a query; leave credentials to the credential helpers of git')
  if (scheme === 'http' && !isHere(found['url'] ?? ''))
    throw refused('plain http is only accepted for loopback addresses')
  return { remote: { url: found['url'] ?? '' }, branch }
}

const isHere = (address: string): boolean => URL.canParse(address) && isLoopback(new URL(address).hostname)

/** The default branch for a manifest of this name. */
export const defaultBranch = (name: string): string => {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/gu, '-').replaceAll(/^-+|-+$/gu, '')
  if (plain === '') throw refused('it does not name a branch')
  return `deploymgmt/${plain}`
}

const refused = refusingWith(
  'Write git+ssh://HOST/PATH, git+https://HOST/PATH, git+file:///PATH, or git:origin for the remote of this checkout. To name a branch, add #BRANCH.',
)
