import { createHash } from 'node:crypto'

export interface DigestRules {
  readonly username: string
  readonly password: string
  /** The parameter in the challenge: the standard's, the vendor's, both, or neither. */
  readonly form?: 'qop' | 'op' | 'both' | 'none'
  readonly algorithm?: 'MD5' | 'MD5-sess' | 'SHA-256' | 'SHA-256-sess'
  /** After so many valid uses, a nonce is stale. */
  readonly usesPerNonce?: number
}

export type Verdict = 'good' | 'missing' | 'wrong' | 'unknown-nonce' | 'stale' | 'replayed'

const realm = 'Public API, "v1.0"'

/** A server's side of Digest, written from the RFCs alone and sharing nothing with the client. */
export class DigestVerifier {
  readonly rules: DigestRules
  /** The counts that were used with each nonce. */
  readonly nonces = new Map<string, string[]>()
  challenges = 0
  /** Nonces that are stale by now. */
  readonly expired = new Set<string>()

  constructor(rules: DigestRules) {
    this.rules = rules
  }

  challenge(stale = false): string {
    this.challenges++
    const nonce = `n${this.challenges}+/=`
    this.nonces.set(nonce, [])
    const form = this.rules.form ?? 'both'
    return [
      `Digest realm="${realm.replaceAll('"', '\\"')}"`,
      'domain=""',
      `nonce="${nonce}"`,
      `algorithm=${this.rules.algorithm ?? 'MD5'}`,
      ...(form === 'op' || form === 'both' ? ['op="auth"'] : []),
      ...(form === 'qop' || form === 'both' ? ['qop="auth,auth-int"'] : []),
      'opaque="o,p=q"',
      'mystery="a, b=\\"c\\""',
      `stale=${stale}`,
    ].join(', ')
  }

  /** Forgets all nonces, as a restart does. */
  forget(): void {
    this.nonces.clear()
  }

  /** Makes all current nonces stale. */
  expire(): void {
    for (const nonce of this.nonces.keys()) this.expired.add(nonce)
  }

  verify(method: string, target: string, header: string | undefined): Verdict {
    if (header === undefined || !header.startsWith('Digest ')) return 'missing'
    const field = (name: string): string =>
      new RegExp(`[ ,]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^", ]+))`, 'u')
        .exec(header)
        ?.slice(1)
        .find((group) => group !== undefined)
        ?.replaceAll(/\\(.)/gu, '$1') ?? ''
    if (field('uri') !== target || field('realm') !== realm || field('opaque') !== 'o,p=q') return 'wrong'
    if (field('username') !== this.rules.username) return 'wrong'
    if (field('response') !== this.#expected(method, target, field)) return 'wrong'
    return this.#use(field('nonce'), field('nc'))
  }

  #expected(method: string, target: string, field: (name: string) => string): string {
    const algorithm = this.rules.algorithm ?? 'MD5'
    const h = (text: string): string =>
      createHash(algorithm.startsWith('SHA') ? 'sha256' : 'md5')
        .update(text)
        .digest('hex')
    const user = h(`${this.rules.username}:${realm}:${this.rules.password}`)
    const a1 = algorithm.endsWith('-sess') ? h(`${user}:${field('nonce')}:${field('cnonce')}`) : user
    const a2 = h(`${method}:${target}`)
    const form = this.rules.form ?? 'both'
    if (form === 'op' || form === 'none') return h(`${a1}:${field('nonce')}:${a2}`)
    return h(`${a1}:${field('nonce')}:${field('nc')}:${field('cnonce')}:auth:${a2}`)
  }

  #use(nonce: string, count: string): Verdict {
    const uses = this.nonces.get(nonce)
    if (uses === undefined) return 'unknown-nonce'
    const most = this.rules.usesPerNonce ?? Number.POSITIVE_INFINITY
    if (this.expired.has(nonce) || uses.length >= most) return 'stale'
    if (count !== '' && uses.includes(count)) return 'replayed'
    uses.push(count)
    return 'good'
  }
}
