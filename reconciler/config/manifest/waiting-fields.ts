import { declarable, type KindDefinition } from '@deploymgmt/provider/core'
import type { Waiting } from '@deploymgmt/provider/engine'
import type { Later } from '../evaluation/evaluate.ts'
import type { MapNode, Node, Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import type { Checked } from './checked.ts'

/**
 * The fields of an entry that are known only once another entry is applied. Plain texts can wait. A field that names
 * a thing, or determines how an entry expands, decides what is planned at all, so it is refused if unknown.
 */
export const waitingIn = (
  checked: Checked,
  kind: KindDefinition,
  entry: MapNode,
  path: Path,
): readonly Waiting[] =>
  checked.evaluator.hasUnknown
    ? [...entry.pairs].flatMap(([field, { value }]): Waiting[] => {
        const laters = checked.evaluator.latersOf(value)
        if (laters.length === 0) return []
        if (mayWait(kind, field))
          return laters.map((later) => ({ field, for: later.address, needs: later.field }))
        if (checked.later === 'refused') refuse(checked, value, [...path, field])
        return []
      })
    : NONE
const NONE: readonly Waiting[] = []

/** Values outside of entries are used in many places, and have to be known. */
export const refuseLaterOutside = (checked: Checked, pairs: Iterable<readonly [string, Pair]>): void => {
  if (checked.later !== 'refused') return
  const sections = new Set(checked.kinds.map(({ section }) => section))
  for (const [name, { value }] of pairs) if (!sections.has(name)) refuse(checked, value, [name])
}

const mayWait = (kind: KindDefinition, field: string): boolean => {
  const { scope, key, unique, recognisedBy } = kind.identity
  if ([...scope, key, ...unique, ...recognisedBy].includes(field)) return false
  return plainTexts(kind).has(field)
}

const plainTexts = (kind: KindDefinition): ReadonlySet<string> =>
  new Set(
    Object.entries(declarable(kind)).flatMap(([name, { type }]) => (type.is === 'string' ? [name] : [])),
  )

const refuse = (checked: Checked, node: Node, path: Path): void => {
  if (node.is === 'map') for (const [name, { value }] of node.pairs) refuse(checked, value, [...path, name])
  else if (node.is === 'list')
    for (const [index, item] of node.items.entries()) refuse(checked, item, [...path, index])
  else {
    const [first]: readonly Later[] = checked.evaluator.latersOf(node)
    if (first !== undefined) checked.report.add(node, { path, message: first.message })
  }
}
