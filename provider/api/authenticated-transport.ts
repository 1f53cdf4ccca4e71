import { AuthUnsupportedError } from '../errors/auth-unsupported-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { header, readComplaint } from './answer.ts'
import { factsOf, type Call } from './call.ts'
import { endedError, faultError, notSent, unauthorized } from './request-errors.ts'
import { WireFault } from './wire-fault.ts'
import type { ServiceClock } from './service-clock.ts'
import type { DigestSession, Tries } from './digest-session.ts'
import type { Transport, WireAnswer } from './transport.ts'
import type { ClientOptions, RequestEvent } from './types.ts'

/** An answer, with the local times of sending and receiving. */
export interface Timed {
  readonly answer: WireAnswer
  readonly sentAt: number
  readonly receivedAt: number
}

interface AuthenticatedParts {
  readonly transport: Transport
  readonly session: DigestSession
  readonly clock: ServiceClock
  readonly now: () => number
  readonly publicKey: string
  readonly beforeWrite: ClientOptions['beforeWrite']
  readonly onRequest: ClientOptions['onRequest']
}

/** The transport with credentials: sends one attempt of a call, and answers challenges. */
export class AuthenticatedTransport {
  readonly #parts: AuthenticatedParts
  #requestsSent = 0
  #reached = false

  constructor(parts: AuthenticatedParts) {
    this.#parts = parts
  }

  get requestsSent(): number {
    return this.#requestsSent
  }

  /** Whether the service has ever answered. */
  get reached(): boolean {
    return this.#reached
  }

  /**
   * The answer, whatever its status, except a final 401.
   * @throws RequestError
   */
  async run(call: Call, attempt: number): Promise<Timed> {
    const { session, publicKey } = this.#parts
    call.isSent = false
    if (session.ended !== undefined) throw endedError(call, session.ended, publicKey)
    const tries: Tries = { nonce: undefined, fresh: false, stale: 0 }
    if (!session.hasChallenge) {
      const unasked = await this.#askForChallenge(call, attempt)
      if (unasked !== undefined) return this.#refuseStranger(call, unasked)
    }
    for (;;) {
      if (!call.read) await this.#parts.beforeWrite?.()
      const authorization = session.sign(call.method, `${call.url.pathname}${call.url.search}`, tries)
      call.isSent = true
      const timed = await this.#wire(call, attempt, call.body, authorization)
      const { answer } = timed
      if (answer.status !== 401) {
        session.accepted(answer.status, tries, header(answer, 'authentication-info'))
        return timed
      }
      const { errorCode } = readComplaint(call, answer)
      const verdict = session.judge(header(answer, 'www-authenticate'), errorCode, tries)
      if (verdict === 'rejected' && !call.tentative) session.end()
      if (verdict !== 'again') throw unauthorized(call, answer, verdict, publicKey)
      call.after = 'a nonce that is stale'
    }
  }

  /**
   * Asks for the challenge that the first request with credentials needs, by a read without credentials; any answer
   * tells the service's time. Returns an answer that asks for no credentials.
   * @throws RequestError
   */
  async introduce(call: Call, attempt: number): Promise<Timed | undefined> {
    if (this.#parts.session.hasChallenge) return undefined
    const unasked = await this.#wire(call, attempt, undefined, undefined)
    return unasked.answer.status === 401 ? this.#begin(call, unasked.answer) : unasked
  }

  /**
   * The same, but only the service itself may answer.
   * @throws RequestError
   */
  async reach(call: Call, attempt: number): Promise<Timed | undefined> {
    const unasked = await this.introduce(call, attempt)
    return unasked === undefined ? undefined : this.#refuseStranger(call, unasked)
  }

  /**
   * Sends the request without credentials and without its body, to get a challenge. A request without credentials is
   * not processed, so it does not count as sent. Returns the answer if the service asks for none.
   */
  async #askForChallenge(call: Call, attempt: number): Promise<Timed | undefined> {
    // Without a body it is the whole write, which a service that asks for no credentials carries out.
    if (!call.read && call.body === undefined) await this.#parts.beforeWrite?.()
    const bare = await this.#wire(call, attempt, undefined, undefined)
    const { status } = bare.answer
    if (status === 401) return this.#begin(call, bare.answer)
    if (call.body === undefined) {
      call.isSent = true
      return bare
    }
    if (status < 300) {
      call.isSent = true
      const facts = factsOf(call, status, 'unknown')
      throw new AuthUnsupportedError(
        'the service accepts writes without credentials and without a body',
        facts,
      )
    }
    // 429, a redirect or a failure: the write itself has not been sent.
    if (!isFinalRefusal(status)) return bare
    // This service checks the body first, and asks for credentials then.
    if (!call.read) await this.#parts.beforeWrite?.()
    call.isSent = true
    const whole = await this.#wire(call, attempt, call.body, undefined)
    return whole.answer.status === 401 ? this.#begin(call, whole.answer) : whole
  }

  /**
   * Every endpoint asks for credentials first. A server that answers "not found" without asking is another one, such
   * as a proxy's default page, and must not pass for a service in which things are gone.
   */
  #refuseStranger(call: Call, unasked: Timed): Timed {
    const { status } = unasked.answer
    if (!isFinalRefusal(status)) return unasked
    const facts = factsOf(call, status, 'refused')
    throw new AuthUnsupportedError(
      'the server refused without asking for credentials, so it is not the service',
      facts,
    )
  }

  #begin(call: Call, answer: WireAnswer): undefined {
    const unsupported = this.#parts.session.begin(header(answer, 'www-authenticate'))
    if (unsupported !== undefined) throw unauthorized(call, answer, { unsupported }, this.#parts.publicKey)
  }

  async #wire(
    call: Call,
    attempt: number,
    body: string | undefined,
    authorization: string | undefined,
  ): Promise<Timed> {
    if (call.signal.aborted) throw notSent(call)
    const { transport, clock, now } = this.#parts
    if (call.notAfter !== undefined && now() > call.notAfter)
      throw DeadlineError.waitedTooLong(factsOf(call, undefined, 'not-sent'))
    const { method, url } = call
    const sentAt = now()
    const waitedMs = Math.max(0, sentAt - call.idleSince)
    const asked = { attempt, authorized: authorization !== undefined, waitedMs }
    this.#requestsSent++
    try {
      const signal = call.read ? call.signal : undefined
      const answer = await transport.exchange({ method, url, authorization, body, signal })
      const receivedAt = now()
      this.#reached = true
      clock.learn(header(answer, 'date'), sentAt, receivedAt)
      this.#tell(call, { ...asked, status: answer.status, ms: receivedAt - sentAt })
      return { answer, sentAt, receivedAt }
    } catch (error) {
      if (!(error instanceof WireFault)) throw error
      if (!error.fault.sent) this.#requestsSent--
      this.#tell(call, { ...asked, status: undefined, ms: now() - sentAt })
      throw faultError(call, error.fault)
    }
  }

  #tell(
    call: Call,
    event: Pick<RequestEvent, 'attempt' | 'authorized' | 'waitedMs' | 'status' | 'ms'>,
  ): void {
    const { method, path, after, about } = call
    call.idleSince = this.#parts.now()
    try {
      this.#parts.onRequest?.({ ...event, method, path, after, about })
    } catch {
      // A failing observer must not turn a write that was answered into one of unknown outcome.
    }
  }
}

/** Whether the status says that the request itself is at fault, and not the moment. */
const isFinalRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429
