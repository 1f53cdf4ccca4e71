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

/** Parses a Digest `Authorization` header; anything malformed, repeated or missing makes it undefined. */
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

const complete = (found: ReadonlyMap<string, string>): DigestCredentials | undefined => {
  const username = found.get('username')
  const realm = found.get('realm')
  const nonce = found.get('nonce')
  const uri = found.get('uri')
  const response = found.get('response')
  if (
    username === undefined ||
    realm === undefined ||
    nonce === undefined ||
    uri === undefined ||
    response === undefined
  ) {
    return undefined
  }
  const optional = Object.fromEntries(
    ['algorithm', 'qop', 'nc', 'cnonce'].flatMap((name) => {
      const value = found.get(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
  return { username, realm, nonce, uri, response, ...optional }
}
