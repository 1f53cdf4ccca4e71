/** What each address waits for. */
type Awaited = ReadonlyMap<string, readonly string[]>

/** The addresses for which nothing is left to wait for, once what they wait for is settled. */
export const settledIn = (awaited: Awaited): ReadonlySet<string> => {
  const waiting = new Map([...awaited].map(([address, all]) => [address, new Set(all).size]))
  const behind = reversed(awaited)
  const settled = new Set([...waiting].flatMap(([address, count]) => (count === 0 ? [address] : [])))
  // A set visits what is added meanwhile.
  for (const address of settled)
    for (const each of behind.get(address) ?? []) {
      const count = (waiting.get(each) ?? 0) - 1
      waiting.set(each, count)
      if (count === 0) settled.add(each)
    }
  return settled
}

/** A way from what an address waits for back to the address. Of a long one, its beginning. */
interface Circle {
  readonly addresses: readonly string[]
  /** How many further addresses the circle has. */
  readonly more: number
}

/** Each address of a circle has a message that names the others: all of them would grow with the square. */
const MOST_NAMED = 10

/** Returns what finds the circle from an address through one that it waits for. */
export const circlesIn = (awaited: Awaited): ((address: string, through: string) => Circle | undefined) => {
  // What comes before a circle or after it is in none.
  const behind = unsettled(reversed(unsettled(awaited)))
  const found = new Map<string, { readonly circle: readonly string[]; readonly next: number }>()
  return (address, through) => {
    const known = found.get(address)
    if (known?.circle[known.next] === through) return named(known.circle, known.next)
    const circle = wayBack(through, address, behind)
    if (circle === undefined) return undefined
    for (const [index, each] of circle.entries())
      if (!found.has(each)) found.set(each, { circle, next: (index + 1) % circle.length })
    return named(circle, 0)
  }
}

const named = (circle: readonly string[], first: number): Circle => {
  const length = Math.min(circle.length, MOST_NAMED)
  const addresses = Array.from({ length }, (_, index) => circle[(first + index) % circle.length] ?? '')
  return { addresses, more: circle.length - length }
}

/** The shortest way. */
const wayBack = (from: string, to: string, behind: Awaited): readonly string[] | undefined => {
  const towards = new Map([[to, to]])
  for (const [address] of towards)
    for (const each of behind.get(address) ?? []) if (!towards.has(each)) towards.set(each, address)
  if (!towards.has(from)) return undefined
  const way = [from]
  for (let at = from; at !== to;) {
    at = towards.get(at) ?? to
    way.push(at)
  }
  return way
}

const unsettled = (awaited: Awaited): Awaited => {
  const settled = settledIn(awaited)
  return new Map([...awaited].filter(([address]) => !settled.has(address)))
}

/** Who waits for each of the addresses. */
const reversed = (awaited: Awaited): Awaited => {
  const behind = new Map([...awaited.keys()].map((address): [string, string[]] => [address, []]))
  for (const [address, all] of awaited) for (const each of new Set(all)) behind.get(each)?.push(address)
  return behind
}
