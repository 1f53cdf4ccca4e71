const LONGEST = 60

/** A name in the form that manifests accept. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '')

/**
 * Names that are not taken yet: for each thing the shortest one that no other could have, or if all are shared its
 * longest one, with a number if needed. The same things get the same names, in whatever order they are listed.
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
    return behind(prefix, slugs.length === 0 ? [slugOf(otherwise)] : slugs)
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

/** Puts the prefix in front of each name, without repeating it if the name already contains it. */
const behind = (prefix: string, slugs: readonly string[]): string[] => {
  if (prefix === '') return [...slugs]
  const put = (slug: string): string => `${prefix.slice(0, LONGEST)}-${slug}`
  const without = slugs.map((slug) =>
    `-${slug}-`.replaceAll(`-${slugOf(prefix)}-`, '-').replaceAll(/^-+|-+$/g, ''),
  )
  return [...without.map((each, index) => put(each === '' ? (slugs[index] ?? '') : each)), ...slugs.map(put)]
}

const numbered = (name: string, taken: ReadonlySet<string>): string => {
  for (let count = 1; ; count += 1) {
    const made = count === 1 ? name : `${name}-${count}`
    if (!taken.has(made)) return made
  }
}
