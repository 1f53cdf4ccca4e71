import { dirname, resolve } from 'node:path'
import { asSpelled, isUsualId } from '@deploymgmt/provider/core/check'
import { ownValue, zonedTime, type FieldType, type ManifestType } from '@deploymgmt/provider/core'
import { broughtBy } from './brought.ts'
import { EXPRESSIONS, mayHoldExpression, piecesOf, type Piece } from './expressions.ts'
import type { Inherited } from './inherited.ts'
import { DEEPEST, LONGEST, MOST, TOO_DEEP, TOO_LONG, TOO_MANY_COPIES } from '../tree/limits.ts'
import { childrenOf, type MapNode, type Node, type Pair, type ScalarNode } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import type { Lookup, Lookups, Referred } from './references.ts'
import type { Remark, Report } from '../tree/report.ts'
import { valueOfText } from '../tree/value-of-text.ts'
import { wrongTime } from './wrong-time.ts'

/** A value that exists once the entry at `address` is applied, and the error if that is too late. */
export interface Later {
  readonly address: string
  readonly field: string
  readonly message: string
}

/** A scalar with its expressions resolved; `unknown` if that failed or has to wait. */
type Evaluated =
  | {
      readonly is: 'value'
      readonly value: unknown
      readonly text: string | undefined
      readonly derived: boolean
      /** The list or mapping of a variable: its values get the type that is declared where the reference is. */
      readonly of?: Node
    }
  | { readonly is: 'unknown'; readonly later?: readonly Later[] }

type ExpressionPiece = Extract<Piece, { is: 'expression' }>
type Unknown = Extract<Evaluated, { is: 'unknown' }>

const UNKNOWN: Unknown = { is: 'unknown' }
const ID: FieldType = { is: 'id' }

/** Converts nodes to plain values: resolves expressions, and takes numbers as text where text is declared. */
export class Evaluator {
  readonly #report: Report
  readonly #lookups: Lookups
  readonly #done = new Map<ScalarNode, Evaluated>()
  #hasUnknown = false
  readonly #zones = new Map<Node, string>()
  readonly #sizes = new Map<Node, number>()
  #copies = 0
  readonly #open: { readonly node: ScalarNode; readonly source: string }[] = []

  constructor(report: Report, lookups: Lookups) {
    this.#report = report
    this.#lookups = lookups
  }

  /** Whether any value is unknown. Most manifests have none, so no further search is needed. */
  get hasUnknown(): boolean {
    return this.#hasUnknown
  }

  /** Whether the value is unknown: an error was reported, or a later apply provides it. */
  isUnknown(node: Node): boolean {
    return this.#hasUnknown && node.is === 'scalar' && this.#done.get(node)?.is === 'unknown'
  }

  /** Whether the value, or a part of it, is unknown. */
  holdsUnknown(node: Node): boolean {
    if (!this.#hasUnknown) return false
    return this.isUnknown(node) || childrenOf(node).some((child) => this.holdsUnknown(child))
  }

  /** The values in variable files of the variables that a text uses; none for variables of the command line. */
  readonly variablesIn = ({ text }: ScalarNode): readonly Node[] =>
    !mayHoldExpression(text)
      ? []
      : piecesOf(text).flatMap((piece) => {
          if (piece.is !== 'expression' || piece.expression.is !== 'variable') return []
          const found = this.#lookups(piece.expression, this.valueAt)
          return found.is === 'node' ? [found.node] : []
        })

  /** The zone of a local time; undefined for an instant, or for a value that is no time. */
  zoneOf(node: Node): string | undefined {
    return this.#zones.get(node)
  }

  /** The entries of the same apply whose results a value waits for. */
  latersOf(node: Node): readonly Later[] {
    if (!this.#hasUnknown) return []
    if (node.is === 'scalar') {
      const known = this.#done.get(node)
      return known?.is === 'unknown' ? (known.later ?? []) : []
    }
    return childrenOf(node).flatMap((child) => this.latersOf(child))
  }

  /** The value of an id that is inherited from another place. */
  readonly valueAt = ({ node, path }: Inherited): unknown => this.valueOf(node, ID, path)

  /** The plain value of a node at a place where `type` is declared. */
  valueOf(node: Node, type: ManifestType | undefined, path: Path): unknown {
    if (node.is === 'scalar') return this.#scalarOf(node, type, path)
    if (node.is === 'list') {
      const of = type?.is === 'set' || type?.is === 'list' ? type.of : undefined
      return node.items.map((item, index) => this.#valueIn(item, of, path, index))
    }
    if (type?.is === 'secret') return this.#secretOf(node, path)
    return mapOf(node.pairs, ({ value }, name) => this.#valueIn(value, typeWithin(type, name), path, name))
  }

  /** Most values are plain and need no path. */
  #valueIn(node: Node, type: ManifestType | undefined, path: Path, step: string | number): unknown {
    if (node.is !== 'scalar' || type?.is === 'instant' || mayHold(node))
      return this.valueOf(node, type, [...path, step])
    // A text or a boolean has the type in which it was written.
    if (typeof node.value !== 'number') return type?.is === 'id' ? asId(node.value) : node.value
    return convert({ is: 'value', value: node.value, text: node.text, derived: false }, type)
  }

  #scalarOf(node: ScalarNode, type: ManifestType | undefined, path: Path): unknown {
    const evaluated = this.#evaluate(node, path)
    if (evaluated.is === 'unknown') return node.text
    const { value } = evaluated
    if (typeof value === 'string' && type?.is === 'instant') return this.#instantOf(node, value, path)
    if (typeof value !== 'object' || value === null) return convert(evaluated, type)
    if (fits(value, type)) return this.#collectionOf(node, evaluated, type, path)
    // A reference to a list is only allowed for a whole value, never within a list: chains of them would grow
    // without end.
    const what = Array.isArray(value) ? 'a list' : 'a mapping'
    this.#set(node, this.#fail(node, path, `${node.text} is ${what}, which cannot stand here`))
    return node.text
  }

  #collectionOf(
    node: ScalarNode,
    { value, of }: Extract<Evaluated, { is: 'value' }>,
    type: ManifestType | undefined,
    path: Path,
  ): unknown {
    if (of === undefined) return value
    const made = this.#isTooMuch(of) ? undefined : this.valueOf(of, type, path)
    if (made === undefined) this.#set(node, this.#fail(node, path, TOO_MANY_COPIES))
    else if (this.#isIncomplete(of)) this.#set(node, this.#unknownIn(of))
    return this.isUnknown(node) ? node.text : made
  }

  #isTooMuch(node: Node): boolean {
    if (node.is === 'scalar') return false
    this.#copies += this.#sizeOf(node)
    return this.#copies > MOST
  }

  #sizeOf(node: Node): number {
    const known = this.#sizes.get(node)
    if (known !== undefined) return known
    const size = childrenOf(node).reduce((sum, child) => sum + this.#sizeOf(child), 1)
    this.#sizes.set(node, size)
    return size
  }

  /** In UTC, if it is declared as a local time with its zone. */
  #instantOf(node: ScalarNode, text: string, path: Path): string {
    const time = zonedTime(text)
    if (time === undefined) return text
    if (time.is !== 'instant') {
      const [message, more] = wrongTime(text, time)
      this.#set(node, this.#fail(node, path, message, { ...more, also: broughtBy(this, node) }))
      return node.text
    }
    if (time.zone !== undefined) this.#zones.set(node, time.zone)
    return time.utc
  }

  #secretOf(node: MapNode, path: Path): unknown {
    const text: FieldType = { is: 'string' }
    return mapOf(node.pairs, ({ value }, name) => {
      const plain = this.valueOf(value, text, [...path, name])
      const isPath = name === 'file' && typeof plain === 'string' && plain !== ''
      return isPath ? resolve(dirname(value.source.path), plain) : plain
    })
  }

  #evaluate(node: ScalarNode, path: Path): Evaluated {
    const { value, text } = node
    if (!mayHold(node)) return { is: 'value', value, text, derived: false }
    const known = this.#done.get(node)
    if (known !== undefined) return known
    return this.#set(node, this.#combine(node, piecesOf(String(value)), path))
  }

  #set(node: ScalarNode, evaluated: Evaluated): Evaluated {
    this.#hasUnknown ||= evaluated.is === 'unknown'
    this.#done.set(node, evaluated)
    return evaluated
  }

  #combine(node: ScalarNode, pieces: readonly Piece[], path: Path): Evaluated {
    const [only] = pieces
    if (pieces.length === 1 && only?.is === 'expression') return this.#resultOf(node, only, path)
    let [text, failed] = ['', false]
    const later: Later[] = []
    for (const piece of pieces) {
      const value = this.#textOf(node, piece, path)
      if (typeof value === 'string') text += value
      else if (value.later === undefined) failed = true
      else later.push(...value.later)
      if (text.length > LONGEST) return this.#fail(node, path, TOO_LONG)
    }
    if (failed) return UNKNOWN
    return later.length > 0 ? { is: 'unknown', later } : { is: 'value', value: text, text, derived: true }
  }

  #textOf(node: ScalarNode, piece: Piece, path: Path): string | Unknown {
    if (piece.is === 'text') return piece.text
    if (piece.is === 'wrong') return this.#fail(node, path, piece.message, { allowed: EXPRESSIONS })
    const evaluated = this.#resultOf(node, piece, path)
    if (evaluated.is === 'unknown') return evaluated
    const { value, text } = evaluated
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return text ?? String(value)
    return this.#fail(node, path, `\${${piece.source}} is not text, so it cannot be part of a text`)
  }

  #resultOf(node: ScalarNode, piece: ExpressionPiece, path: Path): Evaluated {
    if (this.#open.some((one) => one.node === node)) return this.#fail(node, path, this.#cycle(node))
    if (this.#open.length >= DEEPEST) return this.#fail(node, path, TOO_DEEP)
    this.#open.push({ node, source: piece.source })
    const evaluated = this.#found(node, this.#lookups(piece.expression, this.valueAt), path)
    this.#open.pop()
    return evaluated
  }

  #found(node: ScalarNode, found: Lookup, path: Path): Evaluated {
    if (found.is === 'wrong') return this.#fail(node, path, found.message, found)
    if (found.is === 'waiting') return UNKNOWN
    if (found.is === 'later') return { is: 'unknown', later: [found] }
    return this.#referred(node, found, path)
  }

  #referred(node: ScalarNode, found: Referred, path: Path): Evaluated {
    if (found.is === 'value') return { is: 'value', value: found.value, text: found.text, derived: true }
    // The values have no type yet; errors are reported where the reference is.
    if (found.type === undefined && found.node.is !== 'scalar')
      return {
        is: 'value',
        value: found.node.is === 'list' ? [] : {},
        text: undefined,
        derived: true,
        of: found.node,
      }
    if (this.#isTooMuch(found.node)) return this.#fail(node, path, TOO_MANY_COPIES)
    const value = this.valueOf(found.node, found.type, found.path ?? path)
    if (this.#isIncomplete(found.node)) return this.#unknownIn(found.node)
    return {
      is: 'value',
      value,
      text: this.#writtenAt(found.node),
      derived: true,
    }
  }

  /** The source text of a value at the end of all references. */
  #writtenAt(node: Node): string | undefined {
    if (node.is !== 'scalar') return undefined
    const known = this.#done.get(node)
    return known?.is === 'value' ? known.text : node.text
  }

  #unknownIn(node: Node): Unknown {
    const later = this.latersOf(node)
    return later.length === 0 ? UNKNOWN : { is: 'unknown', later }
  }

  /** Whether the value, or a part of it, is unknown or is being evaluated right now. */
  #isIncomplete(node: Node): boolean {
    if (node.is === 'scalar') return this.isUnknown(node) || this.#open.some((one) => one.node === node)
    return childrenOf(node).some((child) => this.#isIncomplete(child))
  }

  /** `${a.b.c} → ${d.e.f} → ${a.b.c}` */
  #cycle(node: ScalarNode): string {
    const from = this.#open.findIndex((one) => one.node === node)
    const sources = this.#open.slice(from).map(({ source }) => `\${${source}}`)
    return `these expressions refer to one another in a circle: ${[...sources, sources[0]].join(' → ')}`
  }

  #fail(
    node: ScalarNode,
    path: Path,
    message: string,
    { suggestion, allowed, also }: Pick<Remark, 'suggestion' | 'allowed' | 'also'> = {},
  ): Unknown {
    this.#report.add(node, { path, message, suggestion, allowed, also })
    return UNKNOWN
  }
}

/** Maps pairs to an object without an intermediate list; a key named `__proto__` is an ordinary key. */
const mapOf = (
  pairs: MapNode['pairs'],
  valueOf: (pair: Pair, name: string) => unknown,
): Record<string, unknown> => {
  const made: Record<string, unknown> = {}
  for (const name of pairs.keys()) {
    const pair = pairs.get(name)
    if (pair === undefined) continue
    const value = valueOf(pair, name)
    if (name === '__proto__') Object.defineProperty(made, name, { value, ...OWN })
    else made[name] = value
  }
  return made
}
const OWN = { enumerable: true, writable: true, configurable: true }

/** Whether the value of a scalar can differ from its text. */
const mayHold = ({ value }: ScalarNode): boolean => typeof value === 'string' && mayHoldExpression(value)

/** The declared type of a key of a mapping. */
const typeWithin = (type: ManifestType | undefined, name: string): FieldType | undefined => {
  if (type?.is === 'map') return type.of
  return type?.is === 'object' ? ownValue(type.fields, name)?.type : undefined
}

const fits = (value: object, type: ManifestType | undefined): boolean =>
  Array.isArray(value)
    ? type?.is === 'set' || type?.is === 'list'
    : type?.is === 'object' || type?.is === 'map'

const TEXTS: readonly string[] = ['string', 'id', 'instant', 'cidr', 'enum', 'secret']

const asId = <T>(value: T): T | string => (typeof value === 'string' ? asSpelled(value) : value)

const convert = (
  { value, text, derived }: Extract<Evaluated, { is: 'value' }>,
  type: ManifestType | undefined,
): unknown => {
  if (type === undefined) return value
  if (typeof value === 'number' && TEXTS.includes(type.is)) {
    const written = text ?? String(value)
    // YAML reads an id of digits as a number; any other number is a mistake.
    return type.is !== 'id' || isUsualId(written) ? asId(written) : value
  }
  if (type.is === 'id') return asId(value)
  if (derived && typeof value === 'boolean' && type.is === 'string') return String(value)
  // A variable of the command line is text, whatever type it is used for.
  return derived && typeof value === 'string' ? valueOfText(value, type) : value
}
