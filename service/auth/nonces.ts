import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** How far below the highest count of a nonce an unused count is still accepted. */
export const replayWindow = 1024

/** The number of remembered nonces with counts, and of answers without one; beyond that, the oldest become stale. */
export const noncesKept = 10_000

interface Remembered {
  readonly serial: number
}

interface Counts extends Remembered {
  highest: number
  /** One byte per count from `highest` downwards, as a ring buffer. */
  readonly used: Uint8Array
}

/**
 * Issues and verifies nonces. A nonce contains its serial number and time with an HMAC, so unused ones are not
 * stored.
 */
export class Nonces {
  readonly #now: () => number
  readonly #lifetime: number
  readonly #key = randomBytes(32)
  readonly #remembered = new Map<string, Counts>()
  readonly #answers = new Map<string, Remembered>()
  #serial = 0
  // Nonces up to this serial number are forgotten: accepting them again would mean accepting replays.
  #forgotten = 0

  constructor(now: () => number, lifetime: number) {
    this.#now = now
    this.#lifetime = lifetime
  }

  /** The number of remembered nonces, and of answers without a count. */
  get size(): number {
    return this.#remembered.size + this.#answers.size
  }

  issue(): string {
    this.#serial += 1
    const body = Buffer.alloc(16)
    body.writeBigUInt64BE(BigInt(this.#serial), 0)
    body.writeBigInt64BE(BigInt(Math.trunc(this.#now())), 8)
    return Buffer.concat([body, this.#seal(body)]).toString('base64url')
  }

  judge(nonce: string): 'fresh' | 'stale' | 'unknown' {
    const known = this.#open(nonce)
    if (!known) return 'unknown'
    const age = this.#now() - known.issuedAt
    // If the clock was set back, a nonce is from the future, which is no better than an old one.
    return known.serial > this.#forgotten && age >= 0 && age < this.#lifetime ? 'fresh' : 'stale'
  }

  /** Takes a count of a fresh nonce for a user; false if it was used before, or is too old to tell. */
  takeCount(nonce: string, username: string, count: number): boolean {
    const id = `${nonce} ${username}`
    let counts = this.#remembered.get(id)
    if (!counts) {
      this.#makeRoom(this.#remembered)
      counts = { serial: this.#open(nonce)?.serial ?? 0, highest: 0, used: new Uint8Array(replayWindow) }
      if (counts.serial <= this.#forgotten) return false
      this.#remembered.set(id, counts)
    }
    return take(counts, count)
  }

  /** Takes an answer to a fresh nonce without a count; false if it was given before. */
  takeAnswer(nonce: string, response: string): boolean {
    const id = `${nonce} ${response}`
    if (this.#answers.has(id)) return false
    this.#makeRoom(this.#answers)
    const serial = this.#open(nonce)?.serial ?? 0
    if (serial <= this.#forgotten) return false
    this.#answers.set(id, { serial })
    return true
  }

  #seal(body: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(body).digest().subarray(0, 16)
  }

  #open(nonce: string): { serial: number; issuedAt: number } | undefined {
    if (!/^[\w-]{43}$/.test(nonce)) return undefined
    const bytes = Buffer.from(nonce, 'base64url')
    const body = bytes.subarray(0, 16)
    // Several texts can decode to the same bytes; only one of them is the nonce.
    if (bytes.toString('base64url') !== nonce) return undefined
    if (!timingSafeEqual(bytes.subarray(16), this.#seal(body))) return undefined
    return { serial: Number(body.readBigUInt64BE(0)), issuedAt: Number(body.readBigInt64BE(8)) }
  }

  #makeRoom(kept: Map<string, Remembered>): void {
    const [oldest] = kept
    if (kept.size < noncesKept || oldest === undefined) return
    kept.delete(oldest[0])
    this.#forgotten = Math.max(this.#forgotten, oldest[1].serial)
  }
}

const take = (counts: Counts, count: number): boolean => {
  const { highest, used } = counts
  if (count > highest) {
    if (count - highest >= replayWindow) used.fill(0)
    else for (let skipped = highest + 1; skipped < count; skipped += 1) used[skipped % replayWindow] = 0
    counts.highest = count
  } else if (highest - count >= replayWindow || used[count % replayWindow] === 1) {
    return false
  }
  used[count % replayWindow] = 1
  return true
}
