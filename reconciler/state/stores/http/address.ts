import { isLoopback } from '@deploymgmt/provider/api'
import { StateAddressError } from '../../../errors/index.ts'
import { refusingWith } from '../address.ts'

/** The location of a state on an HTTP server. */
export interface HttpAddress {
  /** For people and for records. */
  readonly place: string
  /** The URL for GET and POST. */
  readonly url: URL
  /** How the lock is acquired and released. */
  readonly lock: { readonly url: URL; readonly take: string; readonly give: string }
  /** Whether the server is known to refuse saves while nobody has the lock, too, as GitLab does. */
  readonly refusesUnlocked: boolean
  readonly isPlain: boolean
}

/** Servers whose lock is a separate resource with a fixed path: GitLab and Gitea. */
const withLockBeside = /\/api\/(?:v4\/projects\/[^/]+|packages\/[^/]+)\/terraform\/state\/[^/]+$/u
const ofGitlab = /\/api\/v4\/projects\//u
const secret = /auth|credential|jwt|key|pass|secret|signature|token|^code$|^sig$/iu

/**
 * All runners must use the same lock: how it is acquired follows from the address alone, not from answers of a
 * server or from the environment.
 *
 * @throws StateAddressError; it shows nothing of the address
 */
export const httpAddress = (text: string): HttpAddress => {
  if (!URL.canParse(text) || !/^https?:\/\//iu.test(text)) throw refused('it is not a valid address')
  const url = new URL(text)
  const { hash } = url
  // A user name is often a token.
  if (url.username !== '' || url.password !== '') throw refused('it contains a user name or a token')
  if ([...url.searchParams.keys()].some((name) => secret.test(name) || name === 'ID'))
    throw refused('its query contains a credential or the ID of a lock')
  if (hash !== '' && hash !== '#lock') throw refused('only lock can follow #')
  url.hash = ''
  const isKnown = withLockBeside.test(url.pathname)
  const isBeside = hash === '#lock' || isKnown
  return {
    place: `${url.href}${isBeside && !isKnown ? hash : ''}`,
    url,
    lock: isBeside
      ? { url: besides(url), take: 'POST', give: 'DELETE' }
      : { url, take: 'LOCK', give: 'UNLOCK' },
    refusesUnlocked: isKnown && ofGitlab.test(url.pathname),
    isPlain: url.protocol === 'http:' && !isLoopback(url.hostname),
  }
}

const besides = (url: URL): URL => {
  const lock = new URL(url)
  lock.pathname = `${url.pathname.replace(/\/$/u, '')}/lock`
  return lock
}

const refused = refusingWith(
  'Write https://HOST/PATH, and add #lock if the lock is at …/lock. Credentials belong in DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD.',
)

/** @throws StateAddressError if anybody on the network path could read what is sent */
export const refusePlain = ({ isPlain }: HttpAddress, allowHttp: boolean | undefined): void => {
  if (!isPlain || allowHttp === true) return
  throw new StateAddressError('the address of the state is plain http, but not on this machine', {
    hint: 'Use https, or give --allow-http if you trust the network.',
  })
}
