import {
  type AliasEvent,
  boolCoreTag,
  type Event,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  type MappingEvent,
  NOT_RESOLVED,
  nullCoreTag,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import type { MapNode, Node, Pair, ScalarNode } from './node.ts'
import { ParsedPair } from './parsed-pair.ts'
import { Outdents, outdentedWords, type FieldsIn, type Outdented } from './outdented.ts'
import type { Path } from './path.ts'
import type { Report, Span } from './report.ts'
import type { Source } from './source.ts'

type Frame =
  | {
      readonly is: 'list'
      readonly start: number
      readonly items: Node[]
      readonly anchor: string
      readonly weight: Weight
    }
  | {
      readonly is: 'map'
      readonly start: number
      readonly pairs: Map<string, Pair>
      readonly merged: { key: ScalarNode; value: Node }[]
      readonly anchor: string
      key: ScalarNode | undefined
      /** A complex key is reported once, and its value dropped. */
      skipped: boolean
      /** Set for a section of entries with fields. */
      readonly outdents: Outdents | undefined
      readonly weight: Weight
    }

/** The size and depth of a node with all its copies: aliases multiply both. */
interface Weight {
  size: number
  depth: number
}
const LEAF: Weight = { size: 1, depth: 0 }
interface Anchored {
  readonly node: Node
  readonly weight: Weight
}
/** The maximum number of aliases, and of nodes that they add: a small file must not become a large tree. */
const LIMITS = { aliases: 10_000, copies: 1_000_000 }
/** The maximum depth of a tree, including aliases. */
export const DEEPEST_TREE = 100

/** Builds the tree from parser events, and reports YAML features that a manifest does not allow. */
export class TreeBuilder {
  /** Whether so much is missing that checking the tree would only mislead. */
  broken = false
  readonly #source: Source
  readonly #report: Report
  readonly #fieldsIn: FieldsIn
  readonly #anchors = new Map<string, Anchored | 'open'>()
  readonly #frames: Frame[] = []
  #documents: Node[] = []
  #aliases = 0
  #copies = 0
  #end = 0

  constructor(source: Source, report: Report, fieldsIn: FieldsIn) {
    this.#source = source
    this.#report = report
    this.#fieldsIn = fieldsIn
  }

  build(events: readonly Event[]): Node[] {
    for (const event of events) {
      if (event.type === EVENT_ID.SCALAR) this.#scalar(event)
      else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) this.#open(event)
      else if (event.type === EVENT_ID.ALIAS) this.#alias(event)
      else if (event.type === EVENT_ID.POP) this.#close()
    }
    return this.#documents
  }

  #scalar(event: ScalarEvent): void {
    const text = getScalarValue(this.#source.text, event)
    const tag = this.#tagOf(event)
    const plain = event.style === SCALAR_STYLE.PLAIN
    const { source, start, end } = this.#scalarSpan(event)
    if (tag !== '' && tag !== '!' && tag !== '!!str') this.#refuseTag(event.tagStart, event.tagEnd)
    const value = plain && tag === '' ? resolved(text) : text
    const node: ScalarNode = { is: 'scalar', source, start, end, text, value }
    this.#end = Math.max(this.#end, end)
    this.#place(node, LEAF, this.#anchorOf(event))
  }

  #scalarSpan(event: ScalarEvent): Span {
    const source = this.#source
    if (event.valueStart < 0) return { source, start: this.#end, end: this.#end }
    const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
    const quote = quoted ? 1 : 0
    const { valueStart, valueEnd } = event
    // A block scalar starts with its indentation.
    const indent =
      quoted || source.text[valueStart] !== ' '
        ? 0
        : (/^ */.exec(source.text.slice(valueStart, valueStart + 200))?.[0].length ?? 0)
    const start = Math.min(valueStart + indent, valueEnd)
    return { source, start: start - quote, end: valueEnd + quote }
  }

  #open(event: SequenceEvent | MappingEvent): void {
    const { start } = event
    const tag = this.#tagOf(event)
    const list = event.type === EVENT_ID.SEQUENCE
    if (tag !== '' && tag !== '!' && tag !== (list ? '!!seq' : '!!map'))
      this.#refuseTag(event.tagStart, event.tagEnd)
    const anchor = this.#anchorOf(event)
    if (anchor !== '') this.#anchors.set(anchor, 'open')
    this.#end = Math.max(this.#end, start + 1)
    this.#frames.push(
      list
        ? { is: 'list', start, items: [], anchor, weight: { size: 1, depth: 0 } }
        : {
            is: 'map',
            start,
            pairs: new Map(),
            merged: [],
            anchor,
            key: undefined,
            skipped: false,
            outdents: this.#outdentsAt(start),
            weight: { size: 1, depth: 0 },
          },
    )
  }

  #close(): void {
    const frame = this.#frames.pop()
    // The last event of a document closes no collection.
    if (frame === undefined) return
    const place = { source: this.#source, start: frame.start, end: Math.max(this.#end, frame.start + 1) }
    if (frame.is === 'list') {
      this.#place({ is: 'list', ...place, items: frame.items }, frame.weight, frame.anchor)
      return
    }
    for (const { key, value } of frame.merged) this.#merge(frame.pairs, key, value)
    for (const outdented of frame.outdents?.found ?? []) this.#sayOutdented(outdented)
    this.#place({ is: 'map', ...place, pairs: frame.pairs }, frame.weight, frame.anchor)
  }

  #alias(event: AliasEvent): void {
    const name = this.#source.text.slice(event.anchorStart, event.anchorEnd)
    const span = { source: this.#source, start: event.anchorStart - 1, end: event.anchorEnd }
    this.#end = Math.max(this.#end, event.anchorEnd)
    const target = this.#anchors.get(name)
    this.#aliases += 1
    if (target === undefined || target === 'open') {
      const problem = target === 'open' ? 'stands within what it names' : 'names no anchor above it'
      this.#refuse(span, `the alias *${name} ${problem}`)
      return this.#place({ is: 'scalar', ...span, value: null, text: '' }, LEAF, '')
    }
    this.#copies += target.weight.size
    const tooDeep = this.#frames.length + target.weight.depth > DEEPEST_TREE
    if (tooDeep || this.#aliases > LIMITS.aliases || this.#copies > LIMITS.copies) {
      if (!this.broken) this.#refuse(span, 'aliases make this file too large; write fewer of them')
      this.broken = true
      return this.#place({ is: 'scalar', ...span, value: null, text: '' }, LEAF, '')
    }
    this.#place(target.node, target.weight, '')
  }

  #place(node: Node, weight: Weight, anchor: string): void {
    if (anchor !== '') this.#anchors.set(anchor, { node, weight })
    const parent = this.#frames.at(-1)
    if (parent === undefined) {
      this.#documents.push(node)
      this.#anchors.clear()
      return
    }
    parent.weight.size += weight.size
    parent.weight.depth = Math.max(parent.weight.depth, weight.depth + 1)
    if (parent.is === 'list') parent.items.push(node)
    else if (parent.skipped) parent.skipped = false
    else if (parent.key === undefined) this.#takeKey(parent, node)
    else {
      const { key } = parent
      parent.key = undefined
      this.#takePair(parent, key, node)
    }
  }

  #takeKey(frame: Extract<Frame, { is: 'map' }>, node: Node): void {
    if (node.is === 'scalar') frame.key = node
    else {
      this.#refuse(node, 'a key is a plain word, not a list or a mapping')
      frame.skipped = true
    }
  }

  #takePair(frame: Extract<Frame, { is: 'map' }>, key: ScalarNode, value: Node): void {
    if (key.text === '<<' && this.#source.text[key.start] === '<') {
      frame.merged.push({ key, value })
      return
    }
    const owner = frame.outdents?.ownerOf(key, value)
    const first = (owner?.fields ?? frame.pairs).get(key.text)
    if (first !== undefined) {
      const within = owner === undefined ? this.#path() : [...this.#path(), owner.name.text]
      this.#report.add(key, {
        path: [...within, key.text],
        message: 'this key is used twice in one mapping; keep one of them',
        also: first.key,
      })
    } else if (owner === undefined || frame.outdents === undefined) {
      frame.pairs.set(key.text, new ParsedPair(key, value))
    } else frame.pairs.set(owner.name.text, frame.outdents.with(owner, key, value))
  }

  /** Undefined within braces, where indentation means nothing. */
  #outdentsAt(start: number): Outdents | undefined {
    const [root] = this.#frames
    if (root?.is !== 'map' || this.#frames.length !== 1 || this.#source.text[start] === '{') return undefined
    const fields = root.key && this.#fieldsIn(root.key.text)
    return fields && new Outdents(fields)
  }

  #sayOutdented(outdented: Outdented): void {
    const [first] = outdented.fields.values()
    if (first === undefined) return
    const path = [...this.#path(), outdented.name.text]
    this.#report.add(first.key, { path, message: outdentedWords(outdented) })
  }

  /** A merge key adds the keys that the mapping does not have. */
  #merge(pairs: MapNode['pairs'], key: ScalarNode, value: Node): void {
    for (const from of value.is === 'list' ? value.items : [value]) {
      if (from.is !== 'map') {
        this.#refuse(key, '<< takes a mapping, or a list of mappings')
        continue
      }
      for (const [name, pair] of from.pairs) if (!pairs.has(name)) pairs.set(name, pair)
      this.#copies += from.pairs.size
    }
    if (this.#copies > LIMITS.copies && !this.broken) {
      this.#refuse(key, 'merge keys make this file too large; write fewer of them')
      this.broken = true
    }
  }

  #path(): Path {
    return this.#frames.flatMap((frame): (string | number)[] =>
      frame.is === 'list' ? [frame.items.length] : frame.key === undefined ? [] : [frame.key.text],
    )
  }

  #anchorOf({ anchorStart, anchorEnd }: ScalarEvent | SequenceEvent | MappingEvent): string {
    return anchorStart < 0 ? '' : this.#source.text.slice(anchorStart, anchorEnd)
  }

  #tagOf({ tagStart, tagEnd }: ScalarEvent | SequenceEvent | MappingEvent): string {
    return tagStart < 0 ? '' : this.#source.text.slice(tagStart, tagEnd)
  }

  #refuseTag(start: number, end: number): void {
    const tag = this.#source.text.slice(start, end)
    this.#refuse({ source: this.#source, start, end }, `a manifest takes no tags such as ${tag}`)
  }

  #refuse(at: Span, message: string): void {
    this.#report.add(at, { path: this.#path(), message })
  }
}

/** The value of a plain scalar by YAML 1.2's core schema; an instant stays text. */
const resolved = (text: string): string | number | boolean | null => {
  // Most scalars are words, and cannot be anything else.
  if (!/^(?:$|[-+.~\dnNtTfF])/.test(text)) return text
  for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value: unknown = tag.resolve(text, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value as number | boolean | null
  }
  return text
}
