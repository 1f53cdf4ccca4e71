import { hash } from 'node:crypto'
import { parseChallenges, type Challenge } from './challenge.ts'

const algorithms = new Map([
  ['md5', { hash: 'md5', session: false }],
  ['md5-sess', { hash: 'md5', session: true }],
  ['sha-256', { hash: 'sha256', session: false }],
  ['sha-256-sess', { hash: 'sha256', session: true }],
])

/** A Digest challenge that this client can answer. */
export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  /** As the service wrote it; undefined if it did not. */
  readonly algorithm: string | undefined
  readonly hash: string
  /** The `-sess` variants mix the nonces into the key. */
  readonly session: boolean
  /** False for the form of RFC 2069, which has neither count nor client nonce. */
  readonly qop: boolean
  readonly stale: boolean
}

/** The first challenge of a header that can be answered, or why there is none. */
export const chooseChallenge = (
  header: string | undefined,
): DigestChallenge | { readonly unsupported: string } => {
  const challenges = parseChallenges(header ?? '')
  if (challenges.length === 0) return { unsupported: 'it names no way to authenticate' }
  const digests = challenges.filter((challenge) => challenge.scheme === 'digest')
  if (digests.length === 0) {
    const schemes = challenges.map((challenge) => challenge.scheme).join(', ')
    return { unsupported: `it offers ${schemes} and not Digest` }
  }
  const read = digests.map((challenge) => readDigest(challenge))
  return read.find((result) => 'nonce' in result) ?? read[0] ?? { unsupported: 'it offers no Digest' }
}

const readDigest = ({ parameters }: Challenge): DigestChallenge | { readonly unsupported: string } => {
  const nonce = parameters.get('nonce')
  const realm = parameters.get('realm')
  if (nonce === undefined || nonce === '' || realm === undefined) {
    return { unsupported: 'its Digest challenge has no realm or no nonce' }
  }
  const algorithm = parameters.get('algorithm')
  const known = algorithms.get(algorithm?.toLowerCase() ?? 'md5')
  if (known === undefined) return { unsupported: `it asks for the Digest algorithm ${algorithm}` }
  const offered = parameters.get('qop')?.toLowerCase().split(',')
  const protections = offered?.map((item) => item.trim()).filter((item) => item !== '') ?? []
  if (protections.length > 0 && !protections.includes('auth')) {
    return { unsupported: `it asks for the Digest protection ${protections.join(', ')}` }
  }
  return {
    realm,
    nonce,
    opaque: parameters.get('opaque'),
    algorithm,
    ...known,
    // The vendor's docs print op="auth" where RFC 7616 has qop; `op` has no meaning, so this counts as no qop.
    qop: protections.length > 0,
    stale: parameters.get('stale')?.toLowerCase() === 'true',
  }
}

interface DigestRequest {
  readonly username: string
  readonly password: string
  readonly method: string
  /** The request target exactly as sent: path and query. */
  readonly uri: string
  /** One for each nonce, so that both readings of the `-sess` key agree. */
  readonly cnonce: string
  /** How often this nonce was used, including this time. */
  readonly count: number
}

/** The `Authorization` header by RFC 7616, or by RFC 2069 if the challenge has no qop. */
export const authorization = (challenge: DigestChallenge, request: DigestRequest): string => {
  const { cnonce, uri } = request
  const digest = (...parts: readonly string[]): string => hash(challenge.hash, parts.join(':'))
  const key = hash(challenge.hash, bytesOfKey(challenge, request))
  const first = challenge.session ? digest(key, challenge.nonce, cnonce) : key
  const second = digest(request.method, uri)
  const count = request.count.toString(16).padStart(8, '0')
  const response = challenge.qop
    ? digest(first, challenge.nonce, count, cnonce, 'auth', second)
    : digest(first, challenge.nonce, second)
  return [
    `Digest username=${quoted(request.username)}`,
    `realm=${quoted(challenge.realm)}`,
    `nonce=${quoted(challenge.nonce)}`,
    `uri=${quoted(uri)}`,
    ...(challenge.algorithm === undefined ? [] : [`algorithm=${challenge.algorithm}`]),
    `response="${response}"`,
    ...(challenge.opaque === undefined ? [] : [`opaque=${quoted(challenge.opaque)}`]),
    ...(challenge.qop ? ['qop=auth', `nc=${count}`] : []),
    ...(challenge.qop || challenge.session ? [`cnonce="${cnonce}"`] : []),
  ].join(', ')
}

/** Node decodes headers as Latin-1, so this restores the bytes of the realm that the service sent. */
const bytesOfKey = ({ realm }: DigestChallenge, { username, password }: DigestRequest): Buffer =>
  Buffer.concat([Buffer.from(`${username}:`), Buffer.from(realm, 'latin1'), Buffer.from(`:${password}`)])

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/gv, String.raw`\$&`)}"`
