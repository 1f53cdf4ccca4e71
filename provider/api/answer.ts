import { MalformedAnswerError } from '../errors/malformed-answer-error.ts'
import { factsOf, outcomeOf, type Call } from './call.ts'
import { findDuplicateKey } from './duplicate-keys.ts'
import { DEEPEST, findTooDeep } from './json-depth.ts'
import { isSoundJson } from './sound-json.ts'
import { withSpelledIds } from './spelled-ids.ts'
import { isObject } from '../core/values.ts'
import { printable, standsOut, withoutSecrets } from './printable.ts'
import type { WireAnswer } from './transport.ts'

const json = /^application\/(?:[\w.\-]+\+)?json$/iv

/**
 * The body of a 2xx answer: a JSON object, or `undefined` if none is due (204, and any DELETE).
 * @throws MalformedAnswerError for anything else. Its message never quotes the text, which may contain secrets.
 */
export const readBody = (call: Call, answer: WireAnswer): unknown => {
  if (answer.body.byteLength === 0) {
    if (!call.read && (answer.status === 204 || call.method === 'DELETE')) return undefined
    throw malformed(call, answer, 'the answer has no body')
  }
  const type = mediaType(answer)
  if (type !== undefined && !json.test(type)) {
    throw malformed(call, answer, `the answer is not JSON, but ${shownType(call, type)}`)
  }
  const text = strictUtf8(answer.body)
  if (text === undefined) throw malformed(call, answer, 'the answer is not valid UTF-8')
  const body = parsed(text)
  if (body === undefined) throw malformed(call, answer, 'the answer is not valid JSON')
  if (!isObject(body)) throw malformed(call, answer, 'the answer is not a JSON object')
  // One more pass over the text, in reads as well: with a duplicate key, the last value is no better than the first.
  if (!isSoundJson(answer.body, body)) refuseUnsound(call, answer, text)
  // Without escapes, every string of the answer appears in the text verbatim, and so would a secret.
  const isQuiet = !text.includes('\\') && !call.secrets.some((secret) => text.includes(secret))
  return withSpelledIds(isQuiet ? body : quiet(body, call.secrets), text)
}

const refuseUnsound = (call: Call, answer: WireAnswer, text: string): void => {
  const twice = findDuplicateKey(text)
  if (twice !== undefined) {
    const key = printable(withoutSecrets(twice.key, call.secrets), 100)
    throw malformed(call, answer, `the answer names the key "${key}" twice in one object`)
  }
  if (findTooDeep(text) !== undefined)
    throw malformed(call, answer, `the answer is nested deeper than ${DEEPEST} levels`)
}

/**
 * Takes out what was sent in secret, because answers are recorded and shown. A short secret is taken out only if it
 * is a whole value.
 */
const quiet = (value: unknown, secrets: readonly string[]): unknown => {
  const long = secrets.filter(standsOut)
  const within = (inner: unknown): unknown => {
    if (typeof inner === 'string') return withoutSecrets(inner, secrets.includes(inner) ? secrets : long)
    if (Array.isArray(inner)) return inner.map(within)
    if (!isObject(inner)) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([name, each]) => [withoutSecrets(name, long), within(each)]),
    )
  }
  return within(value)
}

/** What the service says about a failure; every field is printable, shortened and free of secrets that were sent. */
export interface Complaint {
  readonly errorCode: string | undefined
  readonly detail: string | undefined
  readonly parameters: readonly string[]
}

/** Reads an error body as far as possible: the status alone is enough for a refusal. */
export const readComplaint = (call: Call, answer: WireAnswer): Complaint => {
  // The body of a challenge is documented as ISO-8859-1.
  const text = strictUtf8(answer.body) ?? Buffer.from(answer.body).toString('latin1')
  const body = parsed(text)
  const { errorCode, detail, reason, parameters } = isObject(body) ? body : {}
  const shown = (value: unknown, limit: number): string | undefined =>
    typeof value === 'string' && value !== ''
      ? printable(withoutSecrets(value, call.secrets), limit)
      : undefined
  return {
    errorCode: shown(errorCode, 100),
    detail: shown(detail, 300) ?? shown(reason, 100),
    parameters: Array.isArray(parameters)
      ? parameters
          .slice(0, 10)
          .flatMap((item) => shown(typeof item === 'string' ? item : JSON.stringify(item), 100) ?? [])
      : [],
  }
}

/**
 * What the body of an error is, if the service cannot have sent it: its errors are JSON objects. An empty one may be
 * from anybody.
 */
export const foreignBody = (call: Call, answer: WireAnswer): string | undefined => {
  if (answer.body.byteLength === 0) return undefined
  const type = mediaType(answer)
  if (type !== undefined && !json.test(type)) return shownType(call, type)
  return isObject(parsed(strictUtf8(answer.body) ?? '')) ? undefined : 'not a JSON object'
}

/** The value of a header; several values are joined. */
export const header = (answer: WireAnswer, name: string): string | undefined => {
  const value = answer.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const malformed = (call: Call, answer: WireAnswer, what: string): MalformedAnswerError =>
  new MalformedAnswerError(what, factsOf(call, answer.status, outcomeOf(call, 'unknown')))

const shownType = ({ secrets }: Call, type: string): string => printable(withoutSecrets(type, secrets), 100)

const mediaType = (answer: WireAnswer): string | undefined =>
  header(answer, 'content-type')?.split(';')[0]?.trim()

const utf8 = new TextDecoder('utf-8', { fatal: true })

const strictUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    return undefined
  }
}
