import type { KindDefinition } from '@deploymgmt/provider/core'
import { Evaluator } from './evaluation/evaluate.ts'
import type { Head, StateNamed } from './loaded-declaration.ts'
import { pairOf, positionOf, type MapNode, type Node } from './tree/node.ts'
import { nameOf } from './files/unread.ts'
import type { readManifests } from './reading.ts'
import { lookupsIn, type ReferenceContext } from './evaluation/references.ts'
import { Report } from './tree/report.ts'

type Read = Pick<Awaited<ReturnType<typeof readManifests>>, 'given' | 'loaded' | 'translated'> & {
  readonly root: MapNode
}

/** Undefined if a part is missing or wrong, which is reported when everything is evaluated. */
export const headIn = (
  { root, given, loaded, translated }: Read,
  kinds: readonly KindDefinition[],
): Head | undefined => {
  const textOf = headText(root, { given, kinds })
  const [name, stateAt] = [textOf('name'), pairOf(root, 'state')?.value]
  const text = stateAt && textOf('state')
  if (name === undefined || (stateAt !== undefined && text === undefined)) return undefined
  return {
    name,
    state: stateAt === undefined || text === undefined ? undefined : stateNamed(text, stateAt),
    path: translated === undefined ? loaded.paths[0] : undefined,
    ownPath: translated === undefined ? ownPathIn(root, loaded.layers) : undefined,
  }
}

const ownPathIn = (root: MapNode, layers: Read['loaded']['layers']): string | undefined => {
  const name = nameOf(root)
  return layers.flat().find((document) => nameOf(document) === name)?.source.path
}

/** A state address at a node. */
export const stateNamed = (text: string, node: Node): StateNamed => ({
  text,
  path: node.source.path,
  at: positionOf(node),
})

/** The head of a manifest, as far as it can be determined before any record is known. */
const headText = (root: MapNode, { given, kinds }: Pick<ReferenceContext, 'given' | 'kinds'>) => {
  const report = new Report()
  const context = { root, kinds, given, recorded: () => undefined, data: () => 'waiting' as const }
  const evaluator = new Evaluator(
    report,
    lookupsIn({ ...context, later: 'passed-over', complete: false, report }),
  )
  return (key: string): string | undefined => {
    const node = pairOf(root, key)?.value
    if (node?.is !== 'scalar') return undefined
    const text = evaluator.valueOf(node, { is: 'string' }, [key])
    return typeof text === 'string' && text !== '' && !evaluator.isUnknown(node) ? text : undefined
  }
}

export const refuseOpenHead = (root: MapNode, report: Report): void => {
  for (const key of ['name', 'state']) {
    const { value } = pairOf(root, key) ?? {}
    const message = `the ${key} has to be known before what is recorded: of expressions only variables and projects can stand here`
    if (value?.is === 'scalar' && String(value.value).includes('${'))
      report.add(value, { path: [key], message })
  }
}
