import { randomBytes } from 'node:crypto'
import { authorization, chooseChallenge, type DigestChallenge } from './digest.ts'

/** Codes for a missing permission: the service knows who is asking. */
const permissionCodes = new Set(['NOT_IN_GROUP', 'NOT_ORG_ADMIN', 'NOT_USER_ADMIN'])

const mostStale = 2

/** In an `Authentication-Info` header. */
const nextNonce = /(?:^|[\s,])nextnonce="(?<next>[^"\\]+)"/iv

interface DigestSessionOptions {
  readonly publicKey: string
  readonly privateKey: string
  readonly random: (() => number) | undefined
}

/** A nonce of the service with the client's own, and how many requests have used them. */
interface Nonce {
  readonly challenge: DigestChallenge
  readonly cnonce: string
  uses: number
}

/** What one request has tried so far. */
export interface Tries {
  /** The nonce that it uses: the shared one at first, and then the one that came with the last refusal. */
  nonce: Nonce | undefined
  /** Whether its nonce was just obtained, so that the service can hardly have forgotten it. */
  fresh: boolean
  stale: number
}

/** What a 401 means: send again; the credentials are wrong; this request is not permitted; every nonce is stale. */
export type Verdict = 'again' | 'rejected' | 'forbidden' | 'always-stale'

/** Why nothing more is sent. */
export type Ended = { readonly why: 'rejected' } | { readonly why: 'unsupported'; readonly reason: string }

/**
 * The state of Digest authentication that all requests of a client share: one nonce with a counter. A request whose
 * nonce is refused gets another with the refusal. It uses that one alone, because a service may take each nonce only
 * once, and shares it when it is answered. Until a request has succeeded, requests go one at a time: on a fresh start,
 * many requests then cost one challenge, and a wrong password costs two requests.
 */
export class DigestSession {
  readonly #options: DigestSessionOptions
  #shared: Nonce | undefined
  #proven = false
  #ended: Ended | undefined
  #turn: Promise<void> | undefined

  constructor(options: DigestSessionOptions) {
    this.#options = options
  }

  get hasChallenge(): boolean {
    return this.#shared !== undefined
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
    this.#shared = this.#open(chosen)
    return undefined
  }

  /** Answers the challenge once more; only after one. */
  sign(method: string, uri: string, tries: Tries): string {
    const nonce = tries.nonce ?? this.#shared
    if (nonce === undefined) throw new Error('there is no challenge to answer yet')
    tries.fresh ||= nonce.uses === 0 && !this.#proven
    tries.nonce = nonce
    const { publicKey: username, privateKey: password } = this.#options
    const { challenge, cnonce } = nonce
    return authorization(challenge, { username, password, method, uri, cnonce, count: ++nonce.uses })
  }

  /** Learns from an answer other than 401. */
  accepted(status: number, tries: Tries, info: string | undefined): void {
    const { nonce } = tries
    // An answer that a proxy in front of the service can give by itself proves nothing.
    if (status < 500 && ![403, 407, 408, 429].includes(status)) this.#proven = true
    const next = nextNonce.exec(info ?? '')?.groups?.['next']
    if (next !== undefined && nonce !== undefined)
      this.#shared = this.#open({ ...nonce.challenge, nonce: next })
    else this.#share(tries)
  }

  /** Judges a 401 to a request with credentials, and gives the request its new nonce if that helps. */
  judge(header: string | undefined, errorCode: string | undefined, tries: Tries): Verdict {
    const chosen = chooseChallenge(header)
    const challenge = 'unsupported' in chosen ? undefined : chosen
    if (challenge?.stale === true) {
      if (tries.stale >= mostStale) return 'always-stale'
      tries.stale++
      return this.#renew(challenge, tries)
    }
    if (errorCode !== undefined && permissionCodes.has(errorCode)) {
      this.#proven = true
      this.#share(tries)
      return 'forbidden'
    }
    // A restarted service no longer knows our nonce, and need not call it stale. One that still knows it has no
    // reason to give another.
    if (!tries.fresh && challenge !== undefined && challenge.nonce !== tries.nonce?.challenge.nonce) {
      return this.#renew(challenge, tries)
    }
    if (!this.#proven) return 'rejected'
    this.#share(tries)
    return 'forbidden'
  }

  /** Sends nothing more: the credentials are wrong. */
  end(): void {
    this.#ended = { why: 'rejected' }
  }

  /** The nonce that a request was given is as good for others once the service has taken it. */
  #share({ nonce, fresh }: Tries): void {
    if (fresh) this.#shared = nonce
  }

  #renew(challenge: DigestChallenge, tries: Tries): Verdict {
    tries.nonce = this.#open(challenge)
    tries.fresh = true
    return 'again'
  }

  #open(challenge: DigestChallenge): Nonce {
    return { challenge, cnonce: this.#newCnonce(), uses: 0 }
  }

  #newCnonce(): string {
    const { random } = this.#options
    const bytes =
      random === undefined ? randomBytes(16) : Buffer.from(Array.from({ length: 16 }, () => random() * 256))
    return bytes.toString('hex')
  }
}
