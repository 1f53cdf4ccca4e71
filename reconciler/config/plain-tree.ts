import type { ListNode, MapNode, Node, Pair, ScalarNode } from './node.ts'
import { resolved } from './scalars.ts'
import type { Source } from './source.ts'

/**
 * The tree of a file in the form that most manifests have: mappings and lists by indentation, texts of one line, and
 * brackets that close on their line. Nothing of a file that is otherwise, or where anything is wrong: the library
 * reads that, and tells what. An event for each word, all of them kept until the last is read, cost more than what a
 * plan does with the tree; `plain-tree.test.ts` holds both to the same trees.
 */
export const plainTree = (source: Source): Node | undefined =>
  ORDINARY.test(source.text) && !/\.json$/i.test(source.path) ? new Reader(source).read() : undefined

/** No tabs, no carriage returns, and nothing that cannot be printed. */
const ORDINARY = /^[\n -~\xa0-\u2027\u202a-\ud7ff]*$/
/** Deeper than any manifest needs. */
const DEEPEST_PLAIN = 20

const [LINE_FEED, SPACE, HASH, QUOTE, APOSTROPHE, COMMA, DASH, COLON] = [
  0x0a, 0x20, 0x23, 0x22, 0x27, 0x2c, 0x2d, 0x3a,
]
const [OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d]

/** Characters by what they can be, below 128. */
const charactersOf = (pattern: RegExp): readonly boolean[] =>
  Array.from({ length: 128 }, (_, unit) => pattern.test(String.fromCharCode(unit)))
const BEGINS_KEY = charactersOf(/[A-Za-z_]/)
const IN_KEY = charactersOf(/[\w.-]/)
/** What begins a text that is not quoted, and can begin nothing else. */
const BEGINS_TEXT = charactersOf(/[\w./$~+^=(;<]/)
/** What stands within brackets and means nothing there. */
const BEGINS_WORD = charactersOf(/\w/)
const IN_WORD = charactersOf(/[\w./@+-]/)

class Reader {
  readonly #source: Source
  readonly #text: string
  #at = 0
  /** Of the line whose content begins at `#at`; none where the file ends. */
  #indent = 0
  /** Where the last scalar ends. */
  #end = 0
  /** Each text once: most keys and many values stand in every entry. */
  readonly #texts = new Map<string, string>()

  constructor(source: Source) {
    this.#source = source
    this.#text = source.text
  }

  read(): Node | undefined {
    this.#toContent()
    if (this.#text.startsWith('---\n', this.#at) && this.#indent === 0) {
      this.#at += 3
      this.#toContent()
    }
    const tree = this.#indent === 0 ? this.#mapping(0, 0) : undefined
    return this.#indent === NO_LINE ? tree : undefined
  }

  /** From the end of a line, or the beginning of one, to the next that says something. */
  #toContent(): void {
    const text = this.#text
    let at = this.#at
    let begun = at === 0 ? 0 : at + 1
    for (;;) {
      at = begun
      while (text.charCodeAt(at) === SPACE) at++
      const unit = text.charCodeAt(at)
      if (unit !== LINE_FEED && unit !== HASH && at < text.length) break
      const ends = unit === LINE_FEED ? at : text.indexOf('\n', at)
      if (at >= text.length || ends === -1) {
        this.#at = text.length
        this.#indent = NO_LINE
        return
      }
      begun = ends + 1
    }
    this.#at = at
    this.#indent = at - begun
  }

  #mapping(indent: number, depth: number): MapNode | undefined {
    const start = this.#at
    const pairs = new Map<string, Pair>()
    while (this.#indent === indent) {
      const ends = this.#keyEnd()
      if (ends === undefined) return undefined
      const key = this.#scalar(this.#at, ends)
      this.#at = ends + 1
      const value = pairs.has(key.text) ? undefined : this.#valueOf(indent, depth)
      if (value === undefined) return undefined
      pairs.set(key.text, { key, value })
    }
    return this.#indent > indent ? undefined : { is: 'map', ...this.#from(start), pairs }
  }

  /** Where the colon of a key stands; nothing where no key does. */
  #keyEnd(): number | undefined {
    const text = this.#text
    let at = this.#at
    if (BEGINS_KEY[text.charCodeAt(at)] !== true) return undefined
    while (IN_KEY[text.charCodeAt(at)] === true) at++
    return text.charCodeAt(at) === COLON && this.#isBreak(at + 1) ? at : undefined
  }

  #isBreak(at: number): boolean {
    const unit = this.#text.charCodeAt(at)
    return unit === SPACE || unit === LINE_FEED || at >= this.#text.length
  }

  /** What stands behind a key, or below it. */
  #valueOf(indent: number, depth: number): Node | undefined {
    if (this.#isLineEmpty()) {
      this.#toContent()
      if (this.#indent > indent || (this.#indent === indent && this.#isItem())) return this.#below(depth)
      return this.#scalar(this.#end, this.#end)
    }
    return this.#within(indent, depth)
  }

  /** A mapping or a list on lines of its own. */
  #below(depth: number): Node | undefined {
    if (depth > DEEPEST_PLAIN) return undefined
    return this.#isItem() ? this.#list(this.#indent, depth + 1) : this.#mapping(this.#indent, depth + 1)
  }

  #isItem(): boolean {
    return this.#text.charCodeAt(this.#at) === DASH && this.#isBreak(this.#at + 1)
  }

  #list(indent: number, depth: number): ListNode | undefined {
    const start = this.#at
    const items: Node[] = []
    while (this.#indent === indent && this.#isItem()) {
      this.#at += 1
      this.#end = Math.max(this.#end, start + 1)
      const item = this.#itemOf(indent, depth)
      if (item === undefined) return undefined
      items.push(item)
    }
    return this.#indent > indent ? undefined : { is: 'list', ...this.#from(start), items }
  }

  #itemOf(indent: number, depth: number): Node | undefined {
    const dash = this.#at - 1
    if (this.#isLineEmpty()) {
      this.#toContent()
      return this.#indent > indent ? this.#below(depth) : undefined
    }
    if (this.#isItem()) return undefined
    if (this.#keyEnd() === undefined) return this.#within(indent, depth)
    this.#indent = indent + this.#at - dash
    return this.#below(depth)
  }

  /** Whether nothing more stands on the line; if not, `#at` is where something does. */
  #isLineEmpty(): boolean {
    const text = this.#text
    const from = this.#at
    while (text.charCodeAt(this.#at) === SPACE) this.#at++
    const unit = text.charCodeAt(this.#at)
    if (unit === HASH && this.#at > from) {
      const ends = text.indexOf('\n', this.#at)
      this.#at = ends === -1 ? text.length : ends
      return true
    }
    return unit === LINE_FEED || this.#at >= text.length
  }

  /** A value that ends on its line, and does not go on below it. */
  #within(indent: number, depth: number): Node | undefined {
    const text = this.#text
    const unit = text.charCodeAt(this.#at)
    let value: Node | undefined
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) value = this.#brackets(depth)
    else if (unit === QUOTE || unit === APOSTROPHE) value = this.#quoted()
    else value = this.#plain()
    if (value === undefined || !this.#isLineEmpty()) return undefined
    this.#toContent()
    return this.#indent > indent ? undefined : value
  }

  #plain(): ScalarNode | undefined {
    const text = this.#text
    const start = this.#at
    if (BEGINS_TEXT[text.charCodeAt(start)] !== true) return undefined
    let at = start
    let end = start
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit === LINE_FEED) break
      if (unit === COLON && this.#isBreak(at + 1)) return undefined
      if (unit === HASH && text.charCodeAt(at - 1) === SPACE) break
      if (unit !== SPACE) end = at + 1
    }
    this.#at = end
    return this.#scalar(start, end)
  }

  /** Without anything that has to be decoded. */
  #quoted(): ScalarNode | undefined {
    const text = this.#text
    const start = this.#at
    const quote = text.charCodeAt(start)
    let at = start + 1
    for (; text.charCodeAt(at) !== quote; at++) {
      const unit = text.charCodeAt(at)
      if (unit === LINE_FEED || unit === BACKSLASH || at >= text.length) return undefined
    }
    this.#at = at + 1
    if (text.charCodeAt(at + 1) === quote) return undefined
    const inner = text.slice(start + 1, at)
    this.#end = at + 1
    return { is: 'scalar', source: this.#source, start, end: at + 1, text: inner, value: inner }
  }

  #brackets(depth: number): Node | undefined {
    const start = this.#at
    const isMap = this.#text.charCodeAt(start) === OPEN_BRACE
    const closing = isMap ? CLOSE_BRACE : CLOSE_BRACKET
    const pairs = new Map<string, Pair>()
    const items: Node[] = []
    this.#end = start + 1
    this.#at = start + 1
    this.#skipSpaces()
    while (this.#text.charCodeAt(this.#at) !== closing) {
      const taken = isMap ? this.#pairInto(pairs, depth) : this.#itemInto(items, depth)
      if (!taken) return undefined
      if (this.#text.charCodeAt(this.#at) === closing) break
      if (this.#text.charCodeAt(this.#at) !== COMMA) return undefined
      this.#at += 1
      this.#skipSpaces()
      if (this.#text.charCodeAt(this.#at) === closing) return undefined
    }
    this.#at += 1
    return isMap ? { is: 'map', ...this.#from(start), pairs } : { is: 'list', ...this.#from(start), items }
  }

  #pairInto(pairs: Map<string, Pair>, depth: number): boolean {
    const ends = this.#keyEnd()
    if (ends === undefined) return false
    const key = this.#scalar(this.#at, ends)
    this.#at = ends + 1
    this.#skipSpaces()
    const value = pairs.has(key.text) ? undefined : this.#bracketed(depth)
    if (value === undefined) return false
    pairs.set(key.text, { key, value })
    return true
  }

  #itemInto(items: Node[], depth: number): boolean {
    const item = this.#bracketed(depth)
    if (item !== undefined) items.push(item)
    return item !== undefined
  }

  /** A value within brackets, with the spaces behind it. */
  #bracketed(depth: number): Node | undefined {
    const unit = this.#text.charCodeAt(this.#at)
    let value: Node | undefined
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET)
      value = depth > DEEPEST_PLAIN ? undefined : this.#brackets(depth + 1)
    else if (unit === QUOTE || unit === APOSTROPHE) value = this.#quoted()
    else value = this.#word()
    this.#skipSpaces()
    return value
  }

  #word(): ScalarNode | undefined {
    const text = this.#text
    const start = this.#at
    if (BEGINS_WORD[text.charCodeAt(start)] !== true) return undefined
    while (IN_WORD[text.charCodeAt(this.#at)] === true) this.#at++
    return this.#scalar(start, this.#at)
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++
  }

  #scalar(start: number, end: number): ScalarNode {
    const written = this.#text.slice(start, end)
    const text = this.#texts.get(written) ?? written
    if (text === written) this.#texts.set(text, text)
    this.#end = end
    return { is: 'scalar', source: this.#source, start, end, text, value: resolved(text) }
  }

  #from(start: number): Pick<Node, 'source' | 'start' | 'end'> {
    return { source: this.#source, start, end: this.#end }
  }
}

const NO_LINE = -1
