import type { FieldType } from '@deploymgmt/provider/core'
import { MOST, TOO_MANY } from '../tree/limits.ts'
import type { ListNode, MapNode, Node, Pair, ScalarNode } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { valueOfText } from '../tree/value-of-text.ts'
import { attributesWithin } from './attributes.ts'
import { refuse, environmentName, type Context } from './context.ts'
import { asWritten } from './dialect.ts'
import { localNamed, mayHoldTemplate, translateText, wholeLocal, wholeVariable } from './expressions.ts'
import { mapAt, pairsIn, renamed, scalarAt } from './nodes.ts'
import { booleanText, numberText } from './primitives.ts'

/** The context of a value: its path, and the locals through which it is referred to. */
interface Place {
  readonly type: FieldType | undefined
  readonly path: Path
  readonly context: Context
  readonly open: readonly string[]
}

/** A value in the manifest's form: references translated, names in camelCase if a type declares them. */
export const translateValue = (node: Node, type: FieldType | undefined, path: Path, context: Context): Node =>
  translateAt(node, { type, path, context, open: [] })

const translateAt = (node: Node, place: Place): Node => {
  if (place.open.length > 0 && isTooMuch(node, place)) return scalarAt(node, REFUSED)
  if (node.is === 'scalar') return translateScalar(node, place)
  return node.is === 'list' ? translateList(node, place) : translateMapping(node, place)
}

const translateScalar = (node: ScalarNode, place: Place): Node => {
  const { type, path, context, open } = place
  if (typeof node.value !== 'string' || !mayHoldTemplate(node.value))
    return type === undefined ? node : { ...node, value: converted(node, type) }
  const name = wholeLocal(node.value)
  if (name !== undefined) {
    const local = localNamed(context, name, open)
    if (typeof local !== 'string') return translateAt(local, { ...place, open: [...open, name] })
  }
  const translated = translateText(node.value, context, open)
  if ('text' in translated) return { ...node, value: translated.text, text: translated.text }
  for (const message of translated.wrong) refuse(context, node, path, message)
  return scalarAt(node, REFUSED)
}

const TEXTS: readonly FieldType['is'][] = ['string', 'id', 'instant', 'cidr', 'enum']

/** Terraform converts a plain value to the declared type if possible. */
const converted = ({ value, text }: ScalarNode, type: FieldType): ScalarNode['value'] => {
  if (value === null) return value
  if (typeof value === 'string')
    return valueOfText(type.is === 'boolean' ? (booleanText(value) ?? value) : value, type)
  if (!TEXTS.includes(type.is)) return value
  return typeof value === 'number' ? (numberText(text) ?? text) : text
}

/** Replaces a refused value. Nothing has this name, so the value stays unknown and causes no further message. */
const REFUSED = '${var.0refused}'

/** Locals that contain one another several times multiply; too many are reported once. */
const isTooMuch = (node: Node, { path, context }: Place): boolean => {
  context.copies += 1
  if (context.copies === MOST + 1) refuse(context, node, path, TOO_MANY)
  return context.copies > MOST
}

const translateList = (node: ListNode, place: Place): ListNode => {
  const { type, path } = place
  const of = type?.is === 'set' || type?.is === 'list' ? type.of : undefined
  return {
    ...node,
    items: node.items.map((item, index) => translateAt(item, { ...place, type: of, path: [...path, index] })),
  }
}

const translateMapping = (node: MapNode, place: Place): MapNode => {
  const { type, path, context } = place
  const attributes = type?.is === 'object' ? attributesWithin(type.fields) : undefined
  const pairs = pairsIn(node).flatMap(([attribute, pair]): [string, Pair][] => {
    const found = attributes?.get(attribute)
    const key = found?.key ?? attribute
    if (found === undefined && attributes !== undefined) {
      const allowed = [...attributes.keys()]
      const suggestion = context.report.nearest(attribute, allowed)
      const meant = suggestion === undefined ? undefined : attributes.get(suggestion)
      if (meant !== undefined) context.report.noteMeant(path, meant.key)
      const message = `there is no attribute ${attribute} here`
      const at = [...path, asWritten(attribute)]
      refuse(context, pair.key, at, message, { suggestion, allowed })
      return []
    }
    const inner = { ...place, type: found?.field?.type, path: [...path, key] }
    return [renamed(pair, key, translateAt(pair.value, inner))]
  })
  return mapAt(node, pairs)
}

/**
 * A secret: a variable whose value is read from the environment only when it is sent. A literal in the file is no
 * secret any more.
 */
export const translateSecret = (node: Node, path: Path, context: Context): Node => {
  const name = node.is === 'scalar' && typeof node.value === 'string' ? wholeVariable(node.value) : undefined
  if (name !== undefined) {
    context.secret.add(name)
    return referenceTo(node, environmentName(name))
  }
  node.source.hidden.push({ start: node.start, end: node.end })
  refuse(
    context,
    node,
    path,
    'a secret in a synthesized file is no longer secret: give a variable without a default, and its value in the environment as TF_VAR_NAME',
  )
  return referenceTo(node, environmentName('NAME'))
}

const referenceTo = (node: Node, name: string): MapNode =>
  mapAt(node, [['env', { key: scalarAt(node, 'env'), value: scalarAt(node, name) }]])
