import { missingFrom } from '@deploymgmt/provider/engine'
import { isBareWord, type Field, type Fields, type Values } from '@deploymgmt/provider/core'
import { visible } from '../../text/display.ts'
import { toJson } from '../../text/json.ts'
import { mayHoldExpression } from '../evaluation/expressions.ts'
import {
  childrenOf,
  nodeAt,
  pairOf,
  positionOf,
  type ListNode,
  type MapNode,
  type Node,
  type ScalarNode,
} from '../tree/node.ts'
import type { Source } from '../tree/source.ts'
import { differ, type LineEdit } from './unified-diff.ts'

/** Fields of one entry, and their new values. */
export interface Wanted {
  /** `SECTION.NAME`. */
  readonly entry: string
  readonly fields: Fields
  readonly values: Values
}

/**
 * The change of a manifest that gives entries these values, as a unified diff that leaves everything else as
 * written. Undefined if that is not safe for each of them: for values of expressions or aliases, multi-line values,
 * lists of other values than scalars, and values that are declared elsewhere, such as in `defaults`.
 */
export const patchesOf = (rootOf: () => MapNode): ((wanted: readonly Wanted[]) => string | undefined) => {
  const diffOf = differ()
  let known: { readonly root: MapNode; readonly shared: ReadonlySet<Node> } | undefined
  return (wanted) => {
    // Computed once for all entries, on first use.
    const { root, shared } = (known ??= lookedThrough(rootOf()))
    const edits = wanted.map((each) => editsOf(root, shared, each))
    if (edits.includes(undefined)) return undefined
    const bySource = Map.groupBy(
      edits.flatMap((each) => each ?? []),
      ({ source }) => source,
    )
    const diffs = [...bySource].map(([source, own]) => diffOf(source, own))
    return diffs.length === 0 || diffs.includes(undefined) ? undefined : diffs.join('')
  }
}

const lookedThrough = (root: MapNode) => ({ root, shared: sharedIn(root) })

const editsOf = (
  root: MapNode,
  shared: ReadonlySet<Node>,
  { entry, fields, values }: Wanted,
): LineEdit[] | undefined => {
  const declared = declaredIn(root, entry)
  if (declared?.is !== 'map') return undefined
  const edits: LineEdit[] = []
  for (const [path, value] of Object.entries(values)) {
    const [node, field] = [pairOf(declared, path)?.value, fields[path]]
    if (node === undefined || field === undefined) return undefined
    if ([declared, node, ...childrenOf(node)].some((each) => shared.has(each))) return undefined
    const made = node.is === 'list' ? listEdits(node, field, value) : scalarEdits(node, value)
    if (made === undefined) return undefined
    edits.push(...made)
  }
  return edits
}

const declaredIn = (root: MapNode, entry: string): Node | undefined => {
  const [section = '', name = ''] = splitOnce(entry)
  return nodeAt(root, section, name)
}

/**
 * Where an entry declares a field itself, as `FILE:LINE:COLUMN`; possibly in another file than the one in which the
 * entry starts.
 */
export const fieldPositionsIn =
  (rootOf: () => MapNode) =>
  (entry: string, field: string): string | undefined => {
    const node = pairOf(declaredIn(rootOf(), entry), field)?.value
    return node && positionOf(node)
  }

const splitOnce = (entry: string): string[] => {
  const dot = entry.indexOf('.')
  return [entry.slice(0, dot), entry.slice(dot + 1)]
}

/** Targets of aliases and merge keys: an edit of them would change other entries as well. */
const sharedIn = (root: Node): ReadonlySet<Node> => {
  const [seen, shared] = [new Set<Node>(), new Set<Node>()]
  const visit = (node: Node): void => {
    if (seen.has(node)) {
      shared.add(node)
      return
    }
    seen.add(node)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(root)
  return shared
}

const rawOf = ({ source, start, end }: Node): string => source.text.slice(start, end)

/** A scalar on the line of its key, without anchor or alias. */
const isPlainPlace = (node: ScalarNode): boolean => {
  const { source, start, text } = node
  const before = source.text.slice(source.lineRange(start).start, start)
  const raw = rawOf(node)
  return (
    raw !== '' && !/[\r\n]/.test(raw) && /[:,[{]\s*$|(?:^|\s)-\s+$/.test(before) && !mayHoldExpression(text)
  )
}

const scalarEdits = (node: Node, value: unknown): LineEdit[] | undefined => {
  const text = node.is === 'scalar' && isPlainPlace(node) ? scalarText(value, node) : undefined
  if (text === undefined) return undefined
  const { source, start, end } = node
  return [{ source, start, end, text }]
}

/** A value in the style of the scalar that it replaces. */
const scalarText = (value: unknown, { source, start }: Node): string | undefined => {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value !== 'string' || mayHoldExpression(value)) return undefined
  const quote = source.text[start]
  if (quote === '"' || /\.json$/i.test(source.path)) return toJson(value)
  if (quote === "'" && visible(value) === value) return `'${value.replaceAll("'", "''")}'`
  return quote !== "'" && isBareWord(value) ? value : toJson(value)
}

/** Edits of a set of scalars: removes unwanted items, appends missing ones, and leaves the others as written. */
const listEdits = (node: ListNode, field: Field, wanted: unknown): LineEdit[] | undefined => {
  const items = node.items.filter((item) => item.is === 'scalar')
  const [first] = items
  if (field.type.is !== 'set' || !Array.isArray(wanted) || first === undefined) return undefined
  if (items.length < node.items.length || !items.every(isPlainPlace)) return undefined
  const gone = new Set(items.filter(({ text }) => missingFrom(field, [text], wanted).length > 0))
  const added = missingFrom(
    field,
    wanted,
    items.map(({ text }) => text),
  ).map((value) => scalarText(value, first))
  const texts = added.filter((text) => text !== undefined)
  const kept = items.filter((item) => !gone.has(item))
  if (texts.length < added.length || kept.length + texts.length === 0) return undefined
  if (node.source.text[node.start] === '[') return bracketEdits(node, [...kept.map(rawOf), ...texts])
  return blockEdits(items, gone, texts)
}

/** `[a, b]` on one line; a list over several lines could have comments anywhere. */
const bracketEdits = (node: ListNode, texts: readonly string[]): LineEdit[] | undefined => {
  const { source, start } = node
  const last = node.items.at(-1)?.end ?? start
  const close = /^[ \t]*,?[ \t]*\]/.exec(source.text.slice(last, last + 200))?.[0]
  const raw = source.text.slice(start, last)
  if (close === undefined || /[\r\n]/.test(raw)) return undefined
  return [{ source, start, end: last + close.length, text: `[${texts.join(', ')}]` }]
}

/** Items on lines of their own, behind hyphens. */
const blockEdits = (
  items: readonly ScalarNode[],
  gone: ReadonlySet<ScalarNode>,
  added: readonly string[],
): LineEdit[] | undefined => {
  const lines = items.map((item) => itemLine(item))
  const last = lines.at(-1)
  if (last === undefined || lines.includes(undefined)) return undefined
  const { source, start } = last
  const come = added.map((text) => `${last.indent}- ${text}`)
  return lines.flatMap((each, index): LineEdit[] => {
    const item = items[index]
    if (each === undefined || item === undefined) return []
    const isGone = gone.has(item)
    const behind = each.start === start ? come : []
    if (!isGone && behind.length === 0) return []
    return [{ source, start: each.start, lines: [...(isGone ? [] : [each.whole]), ...behind] }]
  })
}

interface ItemLine {
  readonly source: Source
  /** The start of the line. */
  readonly start: number
  readonly indent: string
  readonly whole: string
}

const itemLine = (item: ScalarNode): ItemLine | undefined => {
  const { source } = item
  const { start, end } = source.lineRange(item.start)
  const whole = source.text.slice(start, end)
  const before = /^(?<indent> *)- +$/.exec(source.text.slice(start, item.start))
  const after = source.text.slice(item.end, end)
  if (before === null || !/^\s*(?:\s#.*)?$/.test(after)) return undefined
  return { source, start, indent: before.groups?.['indent'] ?? '', whole }
}
