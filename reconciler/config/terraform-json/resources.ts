import {
  allowWords,
  configurationSpelling,
  flagOfWord,
  isNone,
  isOwnType,
  type KindDefinition,
  type Values,
} from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { withStep } from '../evaluation/lacking-calls.ts'
import { nodeAt, type MapNode, type Node, type Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { attributesOf } from './attributes.ts'
import { kindOfType, refused, type Context } from './context.ts'
import { asWritten, typeOf } from './dialect.ts'
import { isMetaArgument, translateLifecycle } from './meta-arguments.ts'
import { mayHoldTemplate } from './expressions.ts'
import { mapAt, pairsIn, renamed } from './nodes.ts'
import { translateSecret, translateValue } from './values.ts'

/** Sections of a manifest, and the flags that resources set for their entries. */
interface Resources {
  readonly sections: readonly [string, Pair][]
  /** Flags by `SECTION.NAME`. */
  readonly allowed: ReadonlyMap<string, readonly string[]>
}

export const translateResources = (node: Node | undefined, context: Context): Resources => {
  const allowed = new Map<string, readonly string[]>()
  const sections = pairsIn(node).flatMap(([type, pair]): [string, Pair][] => {
    const kind = kindOfType(context, type)
    if (kind === undefined) return refuseType(type, pair, context)
    if (pair.value.is !== 'map') return []
    const entries = pairsIn(pair.value).flatMap(([name, { key, value }]): [string, Pair][] => {
      const path = [kind.section, name]
      if (value.is !== 'map')
        return refused(context, value, path, 'a resource is a mapping of its attributes')
      return [[name, { key, value: translateResource({ kind, path, value }, context, allowed) }]]
    })
    return [renamed(pair, kind.section, mapAt(pair.value, entries))]
  })
  return { sections, allowed }
}

const refuseType = (type: string, { key }: Pair, context: Context): [] => {
  const types = context.kinds.map(typeOf)
  const ours = isOwnType(type)
  const message = ours
    ? `deploymgmt has no resource ${type}`
    : `${type} is a resource of another provider; deploymgmt takes only its own`
  const more = ours ? { suggestion: context.report.nearest(type, types), allowed: types } : {}
  return refused(context, key, ['resource', type], message, more)
}

interface Resource {
  readonly kind: KindDefinition
  readonly path: Path
  readonly value: MapNode
}

const translateResource = (
  resource: Resource,
  context: Context,
  allowed: Map<string, readonly string[]>,
): MapNode => {
  const { kind, path, value } = resource
  noteConstruct(value, path, context)
  const pairs = pairsIn(value).flatMap(([attribute, pair]): [string, Pair][] => {
    if (isMetaArgument(attribute, pair, path, context)) return []
    if (attribute === 'lifecycle') return translateLifecycle(kind, pair, path, context)
    const key = attributesOf(kind).get(attribute)?.key
    if (key === 'onRemove')
      return [renamed(pair, key, translateValue(pair.value, undefined, [...path, key], context))]
    if (key !== 'allow') return translateAttribute(resource, attribute, pair, context)
    allowed.set(path.join('.'), actsIn(kind, pair.value, [...path, attribute], context))
    return []
  })
  return mapAt(value, pairs)
}

const noteConstruct = (value: MapNode, path: Path, { dialect }: Context): void => {
  const construct = nodeAt(value, '//', 'metadata', 'path')
  if (construct?.is === 'scalar' && typeof construct.value === 'string') dialect.note(path, construct.value)
}

const translateAttribute = (
  resource: Resource,
  attribute: string,
  pair: Pair,
  context: Context,
): [string, Pair][] => {
  const { kind, path } = resource
  const found = attributesOf(kind).get(attribute)
  if (found?.use === 'computed')
    return refused(
      context,
      pair.key,
      [...path, asWritten(attribute)],
      `${attribute} is set by the service, and never declared`,
    )
  if (found?.field === undefined) return refuseAttribute(resource, attribute, pair, context)
  const at = [...path, found.key]
  const { type } = found.field
  const value =
    type.is === 'secret'
      ? translateSecret(pair.value, at, context)
      : translateValue(pair.value, type, at, context)
  return [renamed(pair, found.key, value)]
}

const refuseAttribute = (resource: Resource, attribute: string, { key }: Pair, context: Context): [] => {
  const { kind, path } = resource
  const attributes = attributesOf(kind)
  const given = [...attributes.values()].filter(({ use }) => use !== 'computed')
  const own = given.filter(({ field }) => field === undefined)
  const declared = given.filter(({ field }) => field !== undefined)
  const allowed = [...[...declared, ...own].map(({ name }) => name), 'lifecycle', 'depends_on']
  const suggestion = context.report.nearest(attribute, allowed)
  const meant = suggestion === undefined ? undefined : attributes.get(suggestion)
  if (meant?.field !== undefined) context.report.noteMeant(path, meant.key)
  const why = whyFixed(resource, attribute)
  const message = `${typeOf(kind)} has no attribute ${attribute}${why === undefined ? '' : `: ${why}`}`
  return refused(context, key, [...path, asWritten(attribute)], message, { suggestion, allowed })
}

/**
 * Why no call changes this attribute, which is only in answers, and what to do by hand if the place is a literal.
 */
const whyFixed = (resource: Resource, attribute: string): string | undefined => {
  const { fixed } = resource.kind
  return !isNone(fixed) && fixed.names.some((name) => configurationSpelling.field(name) === attribute)
    ? withStep(fixed.because, plainIn(resource), configurationSpelling)
    : undefined
}

/** The literal values; references are not resolved yet. */
const plainIn = ({ kind, value }: Resource): Values =>
  Object.fromEntries(
    pairsIn(value).flatMap(([attribute, { value: node }]) => {
      const key = attributesOf(kind).get(attribute)?.key
      return key === undefined || node.is !== 'scalar' || mayHoldTemplate(node.text) ? [] : [[key, node.text]]
    }),
  )

/** Translates acts to the flags that allow them on the command line. */
const actsIn = (kind: KindDefinition, node: Node, path: Path, context: Context): string[] => {
  const words = allowWords(kind)
  const message = 'allow is a list of acts, each written as it is'
  if (node.is !== 'list') return refused(context, node, path, message, { allowed: words })
  return node.items.flatMap((item, index): string[] => {
    const act = item.is === 'scalar' ? item.text : undefined
    if (act !== undefined && words.includes(act)) return [flagOfWord(act)]
    // Allowed acts cannot be undone, so no other word is suggested.
    const why = act === undefined ? message : `${quoted(act)} cannot be allowed`
    return refused(context, item, [...path, index], why, { allowed: words })
  })
}
