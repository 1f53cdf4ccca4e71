export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Measures several ways in turn, so that other work of the machine affects all of them. Each runs once before it
 * counts, so that caches are filled. Those that take long (`seldom`) run in every third turn.
 */
export const inTurn = async <Name extends string, T>(
  runs: number,
  ways: Readonly<Record<Name, () => Promise<T>>>,
  seldom: readonly Name[] = [],
): Promise<Record<Name, T[]>> => {
  const names = Object.keys(ways) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>
  for (const name of names) await ways[name]()
  for (let run = 0; run < runs; run += 1)
    for (const name of names)
      if (run % 3 === 0 || !seldom.includes(name)) taken[name].push(await ways[name]())
  return taken
}

/** The exponent with which a cost grows between the first and the last size. */
export const exponent = (costs: readonly { readonly size: number; readonly cost: number }[]): number => {
  const [first, last] = [costs[0], costs.at(-1)]
  if (first === undefined || last === undefined) return Number.NaN
  return Math.log(last.cost / first.cost) / Math.log(last.size / first.size)
}
