import { createHash, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../settings/settings.ts'
import { originForm } from '../target.ts'
import type { DigestCredentials } from './header.ts'

/** The fixed realm of the public API. */
const realm = 'Public API'

const md5 = (text: string) => createHash('md5').update(text, 'utf8').digest('hex')

/** The WWW-Authenticate header of a challenge, as in the Authentication section and open.digest. */
export const challengeHeader = (
  settings: Settings,
  { nonce, stale }: { readonly nonce: string; readonly stale: boolean },
): string => {
  const style = settings.get('open.digest')
  const protection = [...(style === 'qop' ? [] : ['op="auth"']), ...(style === 'op' ? [] : ['qop="auth"'])]
  return `Digest ${[
    `realm="${realm}"`,
    'domain=""',
    `nonce="${nonce}"`,
    'algorithm=MD5',
    ...protection,
    `stale=${stale}`,
  ].join(', ')}`
}

/**
 * Whether the credentials answer the challenge for this request with this private key: RFC 2617 with qop, or RFC
 * 2069 without. Compared in constant time.
 */
export const answersChallenge = (
  credentials: DigestCredentials,
  request: { method: string; target: string },
  privateKey: string,
): boolean => {
  const { username, nonce, uri, qop, nc, cnonce } = credentials
  const secret = md5(`${username}:${realm}:${privateKey}`)
  const asked = md5(`${request.method}:${uri}`)
  const expected = md5(
    qop === undefined ? `${secret}:${nonce}:${asked}` : `${secret}:${nonce}:${nc}:${cnonce}:${qop}:${asked}`,
  )
  const given = credentials.response.toLowerCase()
  const matches =
    given.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given, 'latin1'))
  return matches && credentials.realm === realm && sameTarget(uri, request.target)
}

/** Whether the credentials have a form that was offered. */
export const isOffered = (credentials: DigestCredentials, settings: Settings): boolean => {
  const { algorithm, qop, nc, cnonce } = credentials
  if (algorithm !== undefined && algorithm.toUpperCase() !== 'MD5') return false
  if (qop === undefined) return true
  return (
    settings.get('open.digest') !== 'op' &&
    qop === 'auth' &&
    // The first request has the count 1.
    /^(?!0{8})[0-9a-f]{8}$/i.test(nc ?? '') &&
    cnonce !== undefined &&
    cnonce !== ''
  )
}

/** The uri parameter names the requested resource, as a path or as a full URL. */
const sameTarget = (uri: string, target: string): boolean => originForm(uri) === target
