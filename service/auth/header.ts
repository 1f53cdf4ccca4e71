/** The parameters of a Digest `Authorization` header. */
export interface DigestCredentials {
  readonly username: string
  readonly realm: string
  readonly nonce: string
  readonly uri: string
  readonly response: string
  readonly algorithm?: string
  readonly qop?: string
  readonly nc?: string
  readonly cnonce?: string
}

const parameter = /\s*([a-z][\w*-]{0,30})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]*))\s*(?:,|$)/gy

/** Parses a Digest `Authorization` header; undefined if anything is malformed, repeated or missing. */
export const parseAuthorization = (header: string): DigestCredentials | undefined => {
  const scheme = /^digest\s+/i.exec(header)
  if (!scheme) return undefined
  const found = new Map<string, string>()
  parameter.lastIndex = scheme[0].length
  while (parameter.lastIndex < header.length) {
    const match = parameter.exec(header)
    if (!match) return undefined
    const name = (match[1] ?? '').toLowerCase()
    if (found.has(name)) return undefined
    found.set(name, match[2]?.replaceAll(/\\(.)/g, '$1') ?? match[3] ?? '')
  }
  return complete(found)
}

const required = ['username', 'realm', 'nonce', 'uri', 'response']
const optional = ['algorithm', 'qop', 'nc', 'cnonce']

const complete = (found: ReadonlyMap<string, string>): DigestCredentials | undefined => {
  if (!required.every((name) => found.has(name))) return undefined
  const known = [...found].filter(([name]) => required.includes(name) || optional.includes(name))
  return Object.fromEntries(known) as unknown as DigestCredentials
}
