import { request as send } from 'node:http'
import { type Challenge, type Key, answer, readChallenge } from './digest.ts'

/** An answer with its body, parsed if it is JSON. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly body: any
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Sends one HTTP request unchanged: no client library corrects the path or the headers. */
export const http = async (method: string, url: string, options: SendOptions = {}): Promise<Reply> => {
  const { hostname, port } = new URL(url)
  const path = url.slice(url.indexOf('/', 8))
  return await new Promise((resolve, reject) => {
    const request = send({ method, hostname, port, path, headers: options.headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) })
      })
    })
    request.on('error', reject)
    request.end(options.body)
  })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Call = (method: string, path: string, body?: unknown, options?: SendOptions) => Promise<Reply>

/** A client with Digest authentication that reuses its nonce, as clients should. */
export const clientFor = (baseUrl: string, key: Key): Call => {
  let challenge: Challenge | undefined
  let count = 0
  const attempt = async (method: string, path: string, options: SendOptions): Promise<Reply> => {
    const url = baseUrl + path
    const target = url.slice(url.indexOf('/', 8))
    if (challenge) count += 1
    const headers = challenge
      ? {
          ...options.headers,
          authorization: answer(challenge, key, { method, target }, challenge.qop ? count : undefined),
        }
      : options.headers
    return await http(method, url, { ...options, ...(headers ? { headers } : {}) })
  }
  return async (method, path, body, options = {}) => {
    const withBody =
      body === undefined
        ? options
        : {
            body: JSON.stringify(body),
            ...options,
            headers: { 'content-type': 'application/json', ...options.headers },
          }
    const hadChallenge = challenge !== undefined
    const first = await attempt(method, path, withBody)
    const header = first.headers['www-authenticate']
    if (first.status !== 401 || typeof header !== 'string') return first
    const offered = readChallenge(header)
    if (hadChallenge && !offered.stale) return first
    challenge = offered
    count = 0
    return await attempt(method, path, withBody)
  }
}
