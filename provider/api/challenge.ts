/** One challenge of a `WWW-Authenticate` header: its scheme and parameters, names in lower case. */
export interface Challenge {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/uy
const blank = /[ \t]*/vy
const separators = /[ \t,]*/vy
const equals = /[ \t]*=[ \t]*/vy
const quotedString = /"(?<inner>(?:[^"\\]|\\[\s\S])*)"/vy
const token68 = /[A-Za-z0-9\-._~+\/]+=*(?=[ \t]*(?:,|$))/vy

/**
 * Parses a `WWW-Authenticate` header by RFC 9110: several challenges in one header, quoted strings with commas and
 * escapes, unknown schemes and parameters. Several headers may be given joined with commas. Never throws: what cannot
 * be parsed is skipped.
 */
export const parseChallenges = (header: string): Challenge[] => {
  const found: { scheme: string; parameters: Map<string, string> }[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(header)
    if (match === null) return undefined
    at = pattern.lastIndex
    return match
  }
  while (at < header.length) {
    take(separators)
    const name = take(token)?.[0]
    if (name === undefined) {
      at++
      continue
    }
    const current = found.at(-1)
    if (current !== undefined && take(equals) !== undefined) {
      const value = take(quotedString)?.groups?.['inner']?.replaceAll(
        /\\(?<character>[\s\S])/gv,
        '$<character>',
      )
      const parameter = name.toLowerCase()
      // The first of duplicate parameters wins, so that a later one cannot weaken it.
      if (!current.parameters.has(parameter))
        current.parameters.set(parameter, value ?? take(token)?.[0] ?? '')
      continue
    }
    found.push({ scheme: name.toLowerCase(), parameters: new Map() })
    take(blank)
    // `Negotiate YWJj==`: one token instead of parameters. A parameter's name is followed by `=` and a value.
    take(token68)
  }
  return found
}
