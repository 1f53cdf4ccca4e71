const LONGEST = 60

/** A name as manifests take it. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '')

/**
 * Names, none of which is taken: for each the shortest one that no other could have, and a number behind the most
 * telling one where all are shared. The same things get the same names, in whatever order they are listed.
 */
export const namesOf = (
  wanted: readonly {
    readonly prefix: string
    readonly names: readonly string[]
    readonly otherwise: string
  }[],
  taken: Set<string>,
): string[] => {
  const candidates = wanted.map(({ prefix, names, otherwise }) => {
    const slugs = names.map(slugOf).filter((name) => name !== '')
    return (slugs.length === 0 ? [slugOf(otherwise)] : slugs).map((slug) =>
      prefix === '' ? slug : `${prefix.slice(0, LONGEST)}-${slug}`,
    )
  })
  const counts = new Map<string, number>()
  for (const each of candidates)
    for (const name of new Set(each)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return candidates.map((each) => {
    const own = each.find((name) => counts.get(name) === 1 && !taken.has(name))
    const longest = each.reduce((one, other) => (other.length > one.length ? other : one))
    const name = own ?? numbered(longest, taken)
    taken.add(name)
    return name
  })
}

const numbered = (name: string, taken: ReadonlySet<string>): string => {
  for (let count = 1; ; count += 1) {
    const made = count === 1 ? name : `${name}-${count}`
    if (!taken.has(made)) return made
  }
}
