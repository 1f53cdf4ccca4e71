import { isUsualId } from '@deploymgmt/provider/core/check'
import { ownValue, type FieldType, type KindDefinition, type ManifestType } from '@deploymgmt/provider/core'
import type { Expression } from './expressions.ts'
import { pairOf, type MapNode, type Node } from '../tree/node.ts'
import { pathText, type Path } from '../tree/path.ts'
import type { Report } from '../tree/report.ts'
import {
  inheritedBy,
  isProject,
  meantBy,
  OF_PROJECT,
  saidOf,
  type Inherited,
  type ValueAt,
} from './inherited.ts'
import { givenValue } from './variables.ts'

/** The record of an address: its identity, and the answer of the service. */
export type Recorded = (address: string) => Readonly<Record<string, unknown>> | undefined

export type Referred =
  | {
      readonly is: 'node'
      readonly node: Node
      readonly type: ManifestType | undefined
      readonly path?: Path
    }
  | { readonly is: 'value'; readonly value: unknown; readonly text?: string }
export type Lookup =
  | Referred
  /** Known only later, or wrong and reported elsewhere. */
  | { readonly is: 'waiting' }
  /** Known once the entry at the address is applied; the message is for places where that is too late. */
  | { readonly is: 'later'; readonly address: string; readonly field: string; readonly message: string }
  | {
      readonly is: 'wrong'
      readonly message: string
      readonly suggestion?: string | undefined
      readonly allowed?: readonly string[] | undefined
    }
export type Lookups = (expression: Expression, valueAt: ValueAt) => Lookup

/** The values of a data source: waiting, or undefined if there is no such source. */
export type DataLookup = (source: string) => Readonly<Record<string, unknown>> | 'waiting' | undefined

export interface ReferenceContext {
  readonly root: MapNode
  readonly kinds: readonly KindDefinition[]
  readonly given: ReadonlyMap<string, string>
  /** Variables with a wrong value, whose intended value is unknown. */
  readonly givenWrong?: ReadonlySet<string>
  readonly recorded: Recorded
  readonly data: DataLookup
  /** How to treat references that only a state, or an apply, can resolve. */
  readonly later: 'refused' | 'noted' | 'passed-over'
  /** Whether all names are known; otherwise a missing one is no error. */
  readonly complete: boolean
  readonly report: Report
}

const WAITING: Lookup = { is: 'waiting' }
const ID: FieldType = { is: 'id' }

/** With the values of other places, as far as they are known. */
interface Context extends ReferenceContext {
  readonly valueAt: ValueAt
}

/** Resolves references to variables, projects, and fields of entries. */
export const lookupsIn =
  (given: ReferenceContext): Lookups =>
  (expression, valueAt) => {
    const context = { ...given, valueAt }
    if (expression.is === 'variable') return variable(expression, context)
    if (expression.is === 'project') return project(expression.name, expression.field, context)
    if (expression.is === 'data') return dataValue(expression, context)
    return entryField(expression, context)
  }

const namesIn = (node: Node | undefined): string[] => (node?.is === 'map' ? [...node.pairs.keys()] : [])

/** The error for an unknown name, with a suggestion. */
const wrongName = (
  message: string,
  name: string,
  names: readonly string[],
  { report }: Context,
): Extract<Lookup, { is: 'wrong' }> => ({
  is: 'wrong',
  message,
  suggestion: report.nearest(name, names),
  allowed: names,
})

const missing = (message: string, name: string, names: readonly string[], context: Context): Lookup => {
  if (!context.complete) return WAITING
  const wrong = wrongName(message, name, names, context)
  return names.length <= 20 ? wrong : { ...wrong, allowed: undefined }
}

const variable = ({ name, path }: Extract<Expression, { is: 'variable' }>, context: Context): Lookup => {
  const variables = pairOf(context.root, 'variables')?.value
  const declared = pairOf(variables, name)
  if (declared === undefined)
    return missing(`there is no variable ${name}`, name, namesIn(variables), context)
  if (context.givenWrong?.has(name) === true) return WAITING
  const fallback = pairOf(declared.value, 'default')?.value
  const text = context.given.get(name)
  if (text !== undefined) {
    const value = givenValue(name, text, fallback)
    return path.length === 0 ? { is: 'value', ...value } : noMapping(name, path)
  }
  if (fallback === undefined || (fallback.is === 'scalar' && fallback.value === null)) return WAITING
  let node = fallback
  for (const [index, key] of path.entries()) {
    const called = [name, ...path.slice(0, index)].join('.')
    if (node.is !== 'map') return noMapping(called, path.slice(index))
    const within = pairOf(node, key)?.value
    if (within === undefined)
      return wrongName(`the variable ${called} has no ${key}`, key, namesIn(node), context)
    node = within
  }
  return { is: 'node', node, type: undefined, path: ['variables', name, 'default', ...path] }
}

const noMapping = (called: string, [key = '']: readonly string[]): Lookup => ({
  is: 'wrong',
  message: `the variable ${called} is not a mapping, so it has no ${key}`,
})

const project = (name: string, field: string, context: Context): Lookup => {
  const projects = pairOf(context.root, 'projects')?.value
  const declared = pairOf(projects, name)
  if (declared === undefined) return missing(`there is no project ${name}`, name, namesIn(projects), context)
  if (field !== 'id' && field !== 'orgId')
    return wrongName(`a project has no ${field}`, field, ['id', 'orgId'], context)
  const said = saidOf(context, name, field)
  // An id of a wrong type is reported at its place.
  if (said?.node.is === 'list' || said?.node.is === 'map') return WAITING
  if (said !== undefined) return { is: 'node', ...said, type: ID }
  return field === 'id' ? WAITING : { is: 'wrong', message: `projects.${name} declares no orgId` }
}

const dataValue = ({ source, path }: Extract<Expression, { is: 'data' }>, context: Context): Lookup => {
  const told = context.data(source)
  if (told === undefined) return noSection('data', context)
  if (told === 'waiting') return WAITING
  let value: unknown = told
  for (const [index, step] of path.entries()) {
    const inner: unknown = (value as Record<string | number, unknown>)[step]
    if (inner === undefined || inner === null)
      return {
        is: 'wrong',
        message: `data source ${source} tells no ${pathText(path.slice(0, index + 1))}${Array.isArray(value) ? `: it found ${value.length}` : ''}`,
      }
    value = inner
  }
  return { is: 'value', value }
}

const noSection = (section: string, context: Context): Lookup => {
  const sections = ['var', 'projects', ...context.kinds.map((one) => one.section)]
  return wrongName(`there is no section ${section}`, section, sections, context)
}

type FieldExpression = Extract<Expression, { is: 'field' }>

const entryField = (expression: FieldExpression, context: Context): Lookup => {
  const { section, name, field } = expression
  const kind = context.kinds.find((one) => one.section === section)
  if (kind === undefined) return noSection(section, context)
  const entries = pairOf(context.root, section)?.value
  const entry = pairOf(entries, name)?.value
  if (entry === undefined) return missing(noEntry(kind, name, context), name, namesIn(entries), context)
  const declared = ownValue(kind.fields, field)
  if (declared === undefined)
    return wrongName(`${section} have no field ${field}`, field, fieldsToRefer(kind), context)
  if (declared.type.is === 'secret')
    return { is: 'wrong', message: `${field} is a secret, so nothing can refer to it` }
  return wrongKey(kind, entry, expression, context) ?? valueOfField(kind, entry, expression, context)
}

const noEntry = ({ kind, section }: KindDefinition, name: string, { root }: Context): string => {
  const { dialect } = root.source
  return dialect === undefined
    ? `there is no entry in ${section} with the name ${name}`
    : `there is no resource ${dialect.spelling.kind(kind)}.${name} in this stack`
}

/** Reports a key that no instance of an entry can have. Keys that come from a list or the clock can be anything. */
const wrongKey = (
  kind: KindDefinition,
  entry: Node,
  { section, name, key }: FieldExpression,
  context: Context,
): Lookup | undefined => {
  if (key === '' || context.root.source.dialect !== undefined) return undefined
  const several = severalIn(kind, entry, context)
  if (several === undefined) {
    const { members, instead } = kind.expand
    const hasKeys = [members?.by, instead?.field].some((by) => by !== undefined && pairOf(entry, by))
    const message = `${section}.${name} stands for one thing: leave out ${key}`
    return hasKeys ? undefined : { is: 'wrong', message }
  }
  const [named = ''] = /[^[\]/]+/u.exec(key) ?? []
  const names = namesIn(pairOf(context.root, 'projects')?.value)
  // A service may have ids of another form; then ids are listed.
  const listed =
    several.is === 'list' ? several.items.map((item) => (item.is === 'scalar' ? item.text : '')) : []
  if (isUsualId(named) || [...names, ...listed].includes(named) || !context.complete) return undefined
  const what = `${section}.${name} stands for one thing in each of its projects`
  return wrongName(`there is no project ${named}: ${what}`, named, names, context)
}

const fieldsToRefer = ({ fields }: KindDefinition): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.type.is !== 'secret')

const valueOfField = (
  kind: KindDefinition,
  entry: Node,
  expression: FieldExpression,
  context: Context,
): Lookup => {
  const { section, name, field } = expression
  const definition = kind.fields[field]
  const own = pairOf(entry, field)?.value
  if (own !== undefined)
    return ofProject(field, { node: own, path: [section, name, field] }, definition?.type, context)
  const inherited = kind.identity.scope.includes(field) ? inheritedBy(context, kind, entry, field) : undefined
  if (inherited !== undefined) return ofProject(field, inherited, definition?.type, context)
  const address = addressOf(expression, context)
  const isTold = definition?.change === 'computed' || field === kind.identity.key
  const recorded = isTold ? context.recorded(address)?.[field] : undefined
  if (recorded !== undefined && recorded !== null) return { is: 'value', value: recorded }
  if (definition?.default !== undefined) return { is: 'value', value: definition.default }
  if (field === 'projectId' && severalIn(kind, entry, context) !== undefined)
    return { is: 'wrong', message: `${address} stands for several projects, so it has no single projectId` }
  return isTold ? notYetTold(address, field, context) : notDeclared(address, field, kind)
}

const notYetTold = (address: string, field: string, { later }: Context): Lookup =>
  later === 'passed-over'
    ? WAITING
    : {
        is: 'later',
        address,
        field,
        message: `${address} is not recorded yet, so its ${field} is not known; apply ${address} first`,
      }

/** What takes over an existing thing names it in another way than the record. */
const notDeclared = (address: string, field: string, { identity }: KindDefinition): Lookup => ({
  is: 'wrong',
  message: `${address} declares no ${field}`,
  suggestion: field === identity.declaredAs ? identity.key : undefined,
})

/** The field that declares several projects for an entry. */
const severalIn = (kind: KindDefinition, entry: Node, context: Context): Node | undefined =>
  pairOf(entry, 'projectIds')?.value ?? inheritedBy(context, kind, entry, 'projectIds')?.node

/** The address of a reference; it can contain the name of a project. */
const addressOf = ({ section, name, key }: FieldExpression, context: Context): string => {
  const named = /^\[([^\]/]+)/u.exec(key)?.[1]
  const said = isProject(context.root, named) ? saidOf(context, named, 'id') : undefined
  const id = said && context.valueAt(said)
  return `${section}.${name}${typeof id === 'string' ? key.replace(/[^[\]/]+/u, () => id) : key}`
}

/** Replaces the name of a project by what it stands for. */
const ofProject = (
  field: string,
  place: Inherited,
  type: FieldType | undefined,
  context: Context,
): Lookup => {
  const canName = OF_PROJECT.has(field) && place.node.is === 'scalar'
  const meant = canName ? meantBy(context.root, field, context.valueAt(place)) : undefined
  return meant === undefined ? { is: 'node', ...place, type } : project(meant.name, meant.part, context)
}
