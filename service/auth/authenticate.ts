import type { Context } from '../context.ts'
import { parseDuration } from '../time.ts'
import { type Caller, findCaller } from './caller.ts'
import { answersChallenge, challengeHeader, isOffered } from './digest.ts'
import { type DigestCredentials, parseAuthorization } from './header.ts'
import { Nonces } from './nonces.ts'

/** The sender of a request, or the challenge to answer with. */
type Verdict =
  | { readonly caller: Caller }
  | { readonly challenge: string; readonly reason: 'no-credentials' | 'refused' | 'stale' }

export interface Authenticator {
  authenticate(header: string | undefined, request: { method: string; target: string }): Verdict
  /** A new challenge, also for refusals that are not the authenticator's. */
  challenge(of?: { readonly stale?: boolean }): string
}

// Compared if no key has the given public key, so that both refusals take the same time.
const nobody = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Checks HTTP Digest credentials as in the Authentication section of the API description. */
export const createAuthenticator = (context: Context): Authenticator => {
  const { settings, clock } = context
  const lifetime = parseDuration(settings.get('open.nonceLifetime')) ?? 60_000
  const nonces = new Nonces(() => clock.now(), lifetime)
  const challenge = ({ stale = false } = {}) => challengeHeader(settings, { nonce: nonces.issue(), stale })
  const refuse = (): Verdict => ({ challenge: challenge(), reason: 'refused' })
  const goStale = (): Verdict => ({ challenge: challenge({ stale: true }), reason: 'stale' })

  const judge = (credentials: DigestCredentials, caller: Caller): Verdict => {
    const state = nonces.judge(credentials.nonce)
    if (state === 'unknown') return settings.get('open.forgottenNonce') === 'stale' ? goStale() : refuse()
    if (state === 'stale') return goStale()
    // With qop, a repeated count is a replay. An honest client whose count is too old tries again.
    if (credentials.qop !== undefined) {
      const count = Number.parseInt(credentials.nc ?? '', 16)
      return nonces.takeCount(credentials.nonce, credentials.username, count) ? { caller } : goStale()
    }
    // Without qop, equal requests have equal answers: each is accepted once, and an honest client tries again, too.
    const isNew = nonces.takeAnswer(credentials.nonce, credentials.response.toLowerCase())
    return isNew || settings.get('open.repeatedAnswer') === 'accept' ? { caller } : goStale()
  }

  return {
    challenge,
    authenticate(header, request) {
      if (header === undefined) return { challenge: challenge(), reason: 'no-credentials' }
      const credentials = parseAuthorization(header)
      if (!credentials || !isOffered(credentials, settings)) return refuse()
      const found = findCaller(context, credentials.username)
      const right = answersChallenge(credentials, request, found?.privateKey ?? nobody)
      return right && found ? judge(credentials, found.caller) : refuse()
    },
  }
}
