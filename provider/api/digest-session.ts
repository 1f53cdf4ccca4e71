import { randomBytes } from 'node:crypto'
import { authorization, chooseChallenge, type DigestChallenge } from './digest.ts'

/** Codes for a missing permission: the service knows who is asking. */
const permissionCodes = new Set(['NOT_IN_GROUP', 'NOT_ORG_ADMIN', 'NOT_USER_ADMIN'])

const mostStale = 2

interface DigestSessionOptions {
  readonly publicKey: string
  readonly privateKey: string
  readonly random: (() => number) | undefined
}

interface Credential {
  readonly header: string
  readonly generation: number
  readonly nonce: string
}

/** What one request has tried so far. */
export interface Tries {
  /** Whether its nonce was just obtained for it, so that the service cannot have forgotten it. */
  fresh: boolean
  stale: number
}

/** What a 401 means: send again; the credentials are wrong; this request is not permitted; every nonce is stale. */
export type Verdict = 'again' | 'rejected' | 'forbidden' | 'always-stale'

/** Why nothing more is sent. */
export type Ended = { readonly why: 'rejected' } | { readonly why: 'unsupported'; readonly reason: string }

/**
 * The state of Digest authentication that all requests of a client share: one nonce with a counter, replaced once for
 * all requests when it is stale. Until a request has succeeded, requests go one at a time: on a fresh start, many
 * requests then cost one challenge, and a wrong password costs two requests.
 */
export class DigestSession {
  readonly #options: DigestSessionOptions
  #challenge: DigestChallenge | undefined
  #cnonce = ''
  #count = 0
  #generation = 0
  #proven = false
  #ended: Ended | undefined
  #turn: Promise<void> | undefined

  constructor(options: DigestSessionOptions) {
    this.#options = options
  }

  get hasChallenge(): boolean {
    return this.#challenge !== undefined
  }

  get ended(): Ended | undefined {
    return this.#ended
  }

  /** Runs `work` once the credentials are proven, or else alone. */
  async turn<T>(work: () => Promise<T>): Promise<T> {
    while (!this.#proven && this.#ended === undefined) {
      if (this.#turn !== undefined) {
        await this.#turn
        continue
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#turn = promise
      try {
        return await work()
      } finally {
        this.#turn = undefined
        resolve()
      }
    }
    return work()
  }

  /** Adopts the challenge to a request without credentials; returns why it cannot be answered, if so. */
  begin(header: string | undefined): string | undefined {
    const chosen = chooseChallenge(header)
    if ('unsupported' in chosen) {
      this.#ended = { why: 'unsupported', reason: chosen.unsupported }
      return chosen.unsupported
    }
    this.#adopt(chosen)
    return undefined
  }

  /** The next use of the current nonce; only after a challenge. */
  sign(method: string, uri: string): Credential {
    const challenge = this.#challenge
    if (challenge === undefined) throw new Error('there is no challenge to answer yet')
    this.#count++
    const { publicKey: username, privateKey: password } = this.#options
    const header = authorization(challenge, {
      username,
      password,
      method,
      uri,
      cnonce: this.#cnonce,
      count: this.#count,
    })
    return { header, generation: this.#generation, nonce: challenge.nonce }
  }

  /** Learns from an answer other than 401. */
  accepted(status: number, credential: Credential, info: string | undefined): void {
    // An answer that a proxy in front of the service can give by itself proves nothing.
    if (status < 500 && ![403, 407, 408, 429].includes(status)) this.#proven = true
    const next = /(?:^|[\s,])nextnonce="(?<nonce>[^"\\]+)"/iv.exec(info ?? '')?.groups?.['nonce']
    if (next === undefined || this.#challenge === undefined) return
    if (credential.generation === this.#generation) this.#adopt({ ...this.#challenge, nonce: next })
  }

  /** Judges a 401 to a request with credentials, and adopts its new nonce if that helps. */
  judge(header: string | undefined, errorCode: string | undefined, used: Credential, tries: Tries): Verdict {
    const chosen = chooseChallenge(header)
    const challenge = 'unsupported' in chosen ? undefined : chosen
    if (challenge?.stale === true) {
      if (tries.stale >= mostStale) return 'always-stale'
      tries.stale++
      return this.#renew(challenge, used, tries)
    }
    if (errorCode !== undefined && permissionCodes.has(errorCode)) {
      this.#proven = true
      return 'forbidden'
    }
    // A restarted service no longer knows our nonce, and need not call it stale. One that still knows it has no
    // reason to give another.
    if (!tries.fresh && challenge !== undefined && challenge.nonce !== used.nonce) {
      return this.#renew(challenge, used, tries)
    }
    return this.#proven ? 'forbidden' : 'rejected'
  }

  /** Sends nothing more: the credentials are wrong. */
  end(): void {
    this.#ended = { why: 'rejected' }
  }

  // Requests that used the same old nonce share the first new one. Without a counter, equal requests have equal
  // digests, and a service may accept each digest once: then each request uses the nonce that it was given itself.
  #renew(challenge: DigestChallenge, used: Credential, tries: Tries): Verdict {
    tries.fresh = true
    if (used.generation === this.#generation || !challenge.qop) this.#adopt(challenge)
    return 'again'
  }

  #adopt(challenge: DigestChallenge): void {
    this.#challenge = challenge
    this.#generation++
    this.#count = 0
    this.#cnonce = this.#newCnonce()
  }

  #newCnonce(): string {
    const { random } = this.#options
    const bytes =
      random === undefined ? randomBytes(16) : Buffer.from(Array.from({ length: 16 }, () => random() * 256))
    return bytes.toString('hex')
  }
}
