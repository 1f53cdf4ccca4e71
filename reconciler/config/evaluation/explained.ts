import { declarable, options, type KindDefinition } from '@deploymgmt/provider/core'
import { piecesOf, type Expression } from './expressions.ts'
import { childrenOf, nodeAt, pairOf, positionOf, type MapNode, type Node } from '../tree/node.ts'
import { inheritedBy, OF_PROJECT, saidOf, type Inherited, type ValueAt } from './inherited.ts'
import type { Origin } from './origin.ts'

/** The origins of an entry's values, by field: first the place itself, then what it refers to. */
export interface Explained {
  readonly address: string
  readonly values: readonly { readonly field: string; readonly from: readonly Origin[] }[]
}

interface Context {
  readonly root: MapNode
  readonly kinds: readonly KindDefinition[]
  /** Variables with values from outside, with the names of those from `--var`. */
  readonly given: ReadonlyMap<string, string>
  readonly onLine: ReadonlyMap<string, string>
  readonly valueAt: ValueAt
  /** Names of projects, by id. */
  readonly names: ReadonlyMap<string, string>
}

/** The context while following a value: its owner, and what was visited. */
interface Trail {
  readonly field: string
  readonly context: Context
  readonly seen: Set<Node>
}

const trailOf = (field: string, context: Context): Trail => ({ field, context, seen: new Set() })

/** Explains an entry as written, or for one of its projects; undefined if there is no entry at the address. */
export const explainedIn = (context: Context, address: string, projectId?: string): Explained | undefined => {
  const [section = '', name = ''] = address.replace(/\[.*$/s, '').split(/\.(.*)/s)
  const kind = context.kinds.find((each) => each.section === section)
  const entry = nodeAt(context.root, section, name)
  if (kind === undefined || entry === undefined) return undefined
  const fields = Object.entries({ ...declarable(kind), ...options(kind) })
  const values = fields.flatMap(([field, { default: fallback }]) => {
    const own = pairOf(entry, field)?.value
    const inherited = own === undefined ? inheritedBy(context, kind, entry, field) : undefined
    const node = own ?? inherited?.node
    if (node !== undefined) {
      const first =
        inherited === undefined ? { is: 'declared' as const, at: positionOf(node) } : originOf(inherited)
      return field === 'projectIds'
        ? [projectsExplained(first, node, context, projectId)]
        : [{ field, from: [first, ...referredIn(node, trailOf(field, context))] }]
    }
    return fallback === undefined ? [] : [{ field, from: [{ is: 'field-default' as const }] }]
  })
  return { address: `${section}.${name}`, values }
}

/** Where the projects of an entry, or this project, are declared. */
const projectsExplained = (
  first: Origin,
  node: Node,
  context: Context,
  projectId: string | undefined,
): Explained['values'][number] => {
  if (projectId === undefined) return { field: 'projectIds', from: [first, ...severalIn(node, context)] }
  const name = context.names.get(projectId)
  const own = name === undefined ? [] : projectOrigins(name, context)
  return { field: 'projectId', from: [first, ...own] }
}

const projectOrigins = (name: string, context: Context): Origin[] => {
  const node = nodeAt(context.root, 'projects', name, 'id')
  return originsOf({ is: 'project', name: `projects.${name}.id` }, node, trailOf('projectIds', context))
}

/** The named projects; or all, with those that are excluded. */
const severalIn = (node: Node, context: Context): Origin[] => {
  const projects = pairOf(context.root, 'projects')?.value
  const isAll = node.is === 'scalar' ? node.text === 'all' : pairOf(node, 'all') !== undefined
  if (!isAll || projects === undefined) return referredIn(node, trailOf('projectIds', context))
  const except = pairOf(node, 'except')?.value
  const excluded = (except === undefined ? [] : childrenOf(except)).flatMap((each) =>
    excludedBy(each, context).map((origin, index) =>
      index === 0 ? { ...origin, excluded: true as const } : origin,
    ),
  )
  return [{ is: 'project', name: 'projects', at: positionOf(projects) }, ...excluded]
}

/** A project is excluded by name or by id. */
const excludedBy = (node: Node, context: Context): Origin[] => {
  const text = node.is === 'scalar' ? node.text : ''
  const name = context.names.get(text)
  if (name !== undefined) return projectOrigins(name, context)
  const referred = referredIn(node, trailOf('projectIds', context))
  return referred.length > 0 ? referred : [{ is: 'project', name: text, at: positionOf(node) }]
}

const originOf = ({ node, path }: Inherited): Origin =>
  path[0] === 'defaults'
    ? { is: 'defaults', at: positionOf(node) }
    : { is: 'project', name: path.join('.'), at: positionOf(node) }

/** The origins of a value: what it refers to, and what that refers to in turn. */
const referredIn = (node: Node, trail: Trail): Origin[] => {
  const { field, context, seen } = trail
  if (seen.has(node)) return []
  seen.add(node)
  if (node.is !== 'scalar') return besideOneAnother(childrenOf(node).map((each) => referredIn(each, trail)))
  const part = OF_PROJECT.get(field)
  const projects = pairOf(context.root, 'projects')?.value
  const named = part === undefined ? undefined : nodeAt(projects, node.text, part)
  if (named !== undefined)
    return originsOf({ is: 'project', name: `projects.${node.text}.${part}` }, named, trail)
  return besideOneAnother(
    piecesOf(node.text).map((piece) => (piece.is === 'expression' ? expressionIn(piece, trail) : [])),
  )
}

/** The origins of several parts of a value, each with what it refers to in turn. */
const besideOneAnother = (parts: readonly (readonly Origin[])[]): Origin[] =>
  parts
    .filter(({ length }) => length > 0)
    .flatMap((origins, part) =>
      origins.map((origin, index) =>
        part > 0 && index === 0 ? { ...origin, beside: true as const } : origin,
      ),
    )

const expressionIn = (
  { source, expression }: { readonly source: string; readonly expression: Expression },
  trail: Trail,
): Origin[] => {
  const { root, given, onLine } = trail.context
  if (expression.is === 'variable') {
    if (given.has(expression.name))
      return [{ is: onLine.has(expression.name) ? 'command-line' : 'environment', name: source }]
    const node = nodeAt(root, 'variables', expression.name, 'default', ...expression.path)
    return originsOf({ is: 'variable', name: source }, node, trail)
  }
  if (expression.is === 'data') return []
  if (expression.is === 'project') {
    const part = expression.field === 'orgId' ? 'orgId' : 'id'
    const node = saidOf(trail.context, expression.name, part)?.node
    return originsOf({ is: 'project', name: source }, node, { ...trail, field: expression.field })
  }
  return entryOrigins(source, expression, trail)
}

/**
 * The origins of another entry's field that is declared, inherited or a default; the value of any other field comes
 * from the service.
 */
const entryOrigins = (
  source: string,
  { section, name, field }: Extract<Expression, { is: 'field' }>,
  trail: Trail,
): Origin[] => {
  const { root, kinds } = trail.context
  const kind = kinds.find((each) => each.section === section)
  const entry = nodeAt(root, section, name)
  const inherited = kind && entry && inheritedBy(trail.context, kind, entry, field)
  const node = pairOf(entry, field)?.value ?? inherited?.node
  return node === undefined && kind?.fields[field]?.default !== undefined
    ? [{ is: 'field-default', name: source }]
    : originsOf({ is: 'entry', name: source }, node, { ...trail, field })
}

const originsOf = (what: Pick<Origin, 'is' | 'name'>, node: Node | undefined, trail: Trail): Origin[] =>
  node === undefined ? [what] : [{ ...what, at: positionOf(node) }, ...referredIn(node, trail)]
