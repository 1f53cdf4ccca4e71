import type { Node } from '../tree/node.ts'

/** Whether two nodes say the same, wherever they stand. */
export const same = (a: Node, b: Node): boolean => {
  if (a.is === 'scalar') return b.is === 'scalar' && a.value === b.value
  if (a.is === 'list')
    return (
      b.is === 'list' &&
      a.items.length === b.items.length &&
      a.items.every((item, index) => sameAt(item, b.items[index]))
    )
  return (
    b.is === 'map' &&
    a.pairs.size === b.pairs.size &&
    [...a.pairs].every(([name, { value }]) => sameAt(value, b.pairs.get(name)?.value))
  )
}
const sameAt = (a: Node, b: Node | undefined): boolean => b !== undefined && same(a, b)
