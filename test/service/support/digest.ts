import { createHash, randomBytes } from 'node:crypto'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** A challenge, parsed without any code of the service. */
export interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly qop: boolean
  readonly stale: boolean
}

export const readChallenge = (header: string): Challenge => {
  const value = (name: string): string | undefined =>
    new RegExp(`(?:^|[ ,])${name}="?([^",]*)"?`).exec(header)?.[1]
  return {
    realm: value('realm') ?? '',
    nonce: value('nonce') ?? '',
    qop: value('qop') === 'auth',
    stale: value('stale') === 'true',
  }
}

/** The Authorization header for a challenge: by RFC 7616 with a count, by RFC 2069 without one. */
export const answer = (
  challenge: Challenge,
  key: Key,
  request: { method: string; target: string },
  count?: number,
): string => {
  const { realm, nonce } = challenge
  const secret = md5(`${key.publicKey}:${realm}:${key.privateKey}`)
  const asked = md5(`${request.method}:${request.target}`)
  const common = `Digest username="${key.publicKey}", realm="${realm}", nonce="${nonce}", uri="${request.target}"`
  if (count === undefined) return `${common}, response="${md5(`${secret}:${nonce}:${asked}`)}"`
  const nc = count.toString(16).padStart(8, '0')
  const cnonce = randomBytes(8).toString('hex')
  const response = md5(`${secret}:${nonce}:${nc}:${cnonce}:auth:${asked}`)
  return `${common}, qop=auth, nc=${nc}, cnonce="${cnonce}", response="${response}"`
}

export interface Key {
  readonly publicKey: string
  readonly privateKey: string
}
