import { AnswerTooLargeError } from '../errors/answer-too-large-error.ts'
import { AuthRejectedError } from '../errors/auth-rejected-error.ts'
import { AuthUnsupportedError } from '../errors/auth-unsupported-error.ts'
import { CancelledError } from '../errors/cancelled-error.ts'
import { ConflictError } from '../errors/conflict-error.ts'
import { DeadlineError } from '../errors/deadline-error.ts'
import { ForbiddenError } from '../errors/forbidden-error.ts'
import { InvalidRequestError } from '../errors/invalid-request-error.ts'
import { MalformedAnswerError } from '../errors/malformed-answer-error.ts'
import { NotFoundError } from '../errors/not-found-error.ts'
import { RateLimitedError } from '../errors/rate-limited-error.ts'
import { RedirectError } from '../errors/redirect-error.ts'
import type { RequestError, RequestFacts } from '../errors/request-error.ts'
import { ServiceFailureError } from '../errors/service-failure-error.ts'
import { UnreachableError } from '../errors/unreachable-error.ts'
import { foreignBody, header, readComplaint, type Complaint } from './answer.ts'
import { factsOf, outcomeOf, type Call } from './call.ts'
import { NO_TUNNEL, type Proxy } from './proxy.ts'
import type { Fault } from './wire-fault.ts'
import { printable } from './printable.ts'
import { retryAfter } from './retry.ts'
import { tlsError } from './tls-failure.ts'
import type { Ended, Verdict } from './digest-session.ts'
import type { WireAnswer } from './transport.ts'

/** The error for a fault on the wire. */
export const faultError = (call: Call, fault: Fault): RequestError => {
  const outcome = fault.sent ? outcomeOf(call, 'unknown') : 'not-sent'
  const cause = Object.assign(new Error(fault.message), { code: fault.code })
  const { host } = call.url
  const way = fault.proxy === undefined ? host : `${host} through the proxy ${fault.proxy.host}`
  const facts = { ...factsOf(call, fault.status, outcome), cause }
  const onTheWay =
    fault.proxy === undefined || fault.sent
      ? facts
      : { ...facts, hint: proxyHint(fault.proxy, fault.message) }
  switch (fault.kind) {
    case 'cancelled':
      return new CancelledError('the request was aborted, because the run was interrupted', facts)
    case 'deadline':
      return new DeadlineError(`${way} did not answer in time (${fault.message})`, onTheWay)
    case 'tls':
      return tlsError(call, fault, facts)
    case 'cut':
      return new MalformedAnswerError(`the answer was truncated (${fault.code})`, facts)
    case 'not-http':
      return new MalformedAnswerError(`the answer is not HTTP (${fault.code})`, facts)
    case 'too-large':
      return new AnswerTooLargeError('the answer is larger than 32 MB', facts)
    case 'unreachable':
      break
  }
  const what = fault.sent ? `the connection to ${way} was lost` : `no connection to ${way}`
  return new UnreachableError(`${what} (${fault.code === NO_TUNNEL ? fault.message : fault.code})`, onTheWay)
}

const proxyHint = ({ variable }: Proxy, message: string): string =>
  [
    `Check ${variable}, which names the proxy, and the base URL. To connect directly, name the host in NO_PROXY.`,
    ...(/\b407\b/v.test(message)
      ? [
          `The proxy asks for a user name and a password: ${variable} takes them as http://USER:PASSWORD@HOST:PORT.`,
        ]
      : []),
  ].join(' ')

/** The error for a request that was not sent because the run was interrupted. */
export const notSent = (call: Call): CancelledError =>
  new CancelledError(
    'the request was not sent, because the run was interrupted',
    factsOf(call, undefined, 'not-sent'),
  )

/** The error for a request that was not sent because authentication has failed for good. */
export const endedError = (call: Call, ended: Ended, publicKey: string): RequestError => {
  const facts = factsOf(call, undefined, 'not-sent')
  return ended.why === 'rejected'
    ? new AuthRejectedError(`the service has refused the credentials for public key "${publicKey}"`, facts)
    : new AuthUnsupportedError(`the service cannot be logged in to: ${printable(ended.reason)}`, facts)
}

/** The error for a final 401. */
export const unauthorized = (
  call: Call,
  answer: WireAnswer,
  verdict: Exclude<Verdict, 'again'> | { readonly unsupported: string },
  publicKey: string,
): RequestError => {
  const complaint = readComplaint(call, answer)
  const facts = {
    ...factsOf(call, answer.status, outcomeOf(call, 'refused')),
    serviceErrorCode: complaint.errorCode,
  }
  if (typeof verdict === 'object') {
    return new AuthUnsupportedError(
      `the service cannot be logged in to: ${printable(verdict.unsupported)}`,
      facts,
    )
  }
  if (verdict === 'always-stale') {
    return new AuthUnsupportedError('the service rejects every nonce as stale', facts)
  }
  return verdict === 'rejected' && !call.tentative
    ? new AuthRejectedError(
        said(`the service refused the credentials for public key "${publicKey}"`, complaint),
        facts,
      )
    : notPermitted(complaint, facts, publicKey)
}

const notPermitted = (complaint: Complaint, facts: RequestFacts, publicKey: string): ForbiddenError =>
  new ForbiddenError(said(`the service does not permit this to public key "${publicKey}"`, complaint), facts)

/** The error for any answer that is neither 2xx nor 401. */
export const refusal = (
  call: Call,
  answer: WireAnswer,
  publicKey: string,
  serviceNow: number,
): RequestError => {
  const { status } = answer
  if (status >= 300 && status < 400) return redirect(call, answer)
  const complaint = readComplaint(call, answer)
  const retryAfterMs = retryAfter(header(answer, 'retry-after'), serviceNow)
  // A proxy answers 408 as well once it has passed a request on and waited too long.
  const isLate = status === 408
  const isRefused = status >= 400 && status < 500 && !isLate
  const facts = {
    ...factsOf(call, status, outcomeOf(call, isRefused ? 'refused' : 'unknown')),
    serviceErrorCode: complaint.errorCode,
    retryAfterMs,
  }
  if (status >= 500) return new ServiceFailureError(said('the service failed', complaint), facts)
  if (isLate) return new DeadlineError(said(`${call.url.host} did not answer in time`, complaint), facts)
  const foreign = foreignBody(call, answer)
  if (foreign !== undefined && status === 403)
    return new ForbiddenError(
      `a proxy in between may have refused this: the answer is ${foreign}, and the service answers in JSON`,
      { ...facts, mayBeOfProxy: true },
    )
  if (foreign !== undefined && status === 404)
    return new MalformedAnswerError(
      `it is not the service that has answered: the answer is ${foreign}`,
      facts,
    )
  return refusedBy(call, complaint, facts, publicKey)
}

/** The error for a request that the service itself has refused. */
const refusedBy = (
  call: Call,
  complaint: Complaint,
  facts: RequestFacts,
  publicKey: string,
): RequestError => {
  switch (facts.status) {
    case 403:
      return notPermitted(complaint, facts, publicKey)
    case 404:
      return absent(call, complaint, facts)
    case 409:
      return new ConflictError(
        said('the request conflicts with something that exists at the service', complaint),
        facts,
      )
    case 429:
      return new RateLimitedError(
        said(`the service asks for fewer requests${sayPause(facts.retryAfterMs)}`, complaint),
        facts,
      )
  }
  if (saysAbsent(call, complaint)) return absent(call, complaint, facts)
  const { detail, parameters } = complaint
  return new InvalidRequestError(said('the service refused the request', complaint), {
    ...facts,
    detail,
    parameters,
  })
}

/** How long the service asks to wait, if it says so. */
const sayPause = (ms: number | undefined): string =>
  ms === undefined || ms === 0 ? '' : `, and none for ${Math.ceil(ms / 1000)} s`

const absent = (call: Call, complaint: Complaint, facts: RequestFacts): NotFoundError => {
  const { parameters } = complaint
  const sent = parameters.filter((each) => isOnlySent(each, call))
  return new NotFoundError(said('the service does not know this', complaint), {
    ...facts,
    parameters,
    ...(sent.length === 0 ? {} : { hint: `Check ${sent.join(', ')}, which the body of the request names.` }),
  })
}

/** Whether the body names it and the address does not. */
const isOnlySent = (parameter: string, { body, path }: Call): boolean =>
  body?.includes(JSON.stringify(parameter)) === true && !decodeURIComponent(path).includes(parameter)

/**
 * Whether a 400 is about a thing in the path that does not exist. One code is known to mean that. A read names only
 * what is in its path, so any code of this form can mean nothing else; a write can also be refused because of a thing
 * that its body names.
 */
const saysAbsent = ({ read }: Call, { errorCode }: Complaint): boolean =>
  KEY_NOT_FOUND.test(errorCode ?? '') || (read && errorCode?.endsWith('_NOT_FOUND') === true)

/** Some services put a prefix before their codes. */
const KEY_NOT_FOUND = /(?:^|_)API_KEY_NOT_FOUND$/

const redirect = (call: Call, answer: WireAnswer): RequestError => {
  const facts = factsOf(call, answer.status, outcomeOf(call, 'unknown'))
  const location = header(answer, 'location')
  if (location === undefined)
    return new MalformedAnswerError('the answer is a redirect without an address', facts)
  const origin = URL.canParse(location, call.url.href)
    ? new URL(location, call.url.href).origin
    : 'an unreadable address'
  if (origin !== call.url.origin)
    return new RedirectError(`the service redirects to ${printable(origin)}`, facts)
  // The base URL already names that address, so to name it again would not help.
  const hint =
    'Check the path of DEPLOYMGMT_BASE_URL. If it is right, a proxy before the service may ask for a login, which takes no API key.'
  return new RedirectError(`the service redirects within ${printable(origin)}`, { ...facts, hint })
}

const said = (what: string, { detail, errorCode, parameters }: Complaint): string => {
  const values = parameters.length === 0 ? '' : ` [${parameters.join(', ')}]`
  return `${what}${detail === undefined ? '' : `: ${detail.replace(/\.$/, '')}`}${errorCode === undefined ? '' : ` (${errorCode}${values})`}`
}
