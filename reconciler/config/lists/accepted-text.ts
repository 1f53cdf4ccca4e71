import { isBareLine } from '@deploymgmt/provider/core'
import { visible } from '../../text/display.ts'
import { toJson } from '../../text/json.ts'
import type { Accepted, ToAccept } from './accepted-drift.ts'
import { acceptedKey, type AcceptedFile } from './accepted.ts'

const HEADER = `# Drift that was found and is accepted. deploymgmt drift accept writes here; the history of this file shows who
# did so, and when. An entry counts as long as the live value is the one that it names, and until the day that it names.
version: 1
accepted:
`

/** An item, with the comments above it. */
interface Chunk {
  readonly entry: Accepted
  readonly above: string
  readonly text: string
}

/**
 * The file with these entries added. An entry replaces an existing one for the same address and field; one for a
 * whole address replaces those for its fields, unless they are to be kept. Comments and order stay.
 */
export const textWith = (
  file: AcceptedFile | undefined,
  entries: readonly ToAccept[],
  { keepsFields = false }: { readonly keepsFields?: boolean } = {},
): string => {
  const parts = file === undefined ? undefined : partsOf(file)
  // A list in brackets is rewritten.
  const { head, indent, chunks, tail } = parts ?? { head: HEADER, indent: '  ', chunks: anew(file), tail: '' }
  const wholes = new Set(keepsFields ? [] : entries.filter(isWhole).map(acceptedKey))
  const kept = chunks.filter(({ entry }) => isWhole(entry) || !wholes.has(wholeKeyOf(entry)))
  const coming = new Map(entries.map((entry) => [acceptedKey(entry), entry]))
  const known = new Set(kept.map(({ entry }) => acceptedKey(entry)))
  const added = entries.filter((entry) => !known.has(acceptedKey(entry))).toSorted(lastFirst)
  const written = kept.map(({ entry, above, text }) => {
    const before = takenBefore(entry, added).map((each) => itemText(each, indent))
    const other = coming.get(acceptedKey(entry))
    return before.join('') + above + (other === undefined ? text : itemText(other, indent))
  })
  const behind = added.toReversed().map((each) => itemText(each, indent))
  return head + [...written, ...behind].join('') + tail
}

type Named = Pick<Accepted, 'address' | 'field' | 'manifest'>

const wholeKeyOf = ({ address, manifest }: Named): string => acceptedKey({ address, manifest })

const isWhole = ({ field }: Named): boolean => field === undefined

const lastFirst = (one: Named, other: Named): number => (acceptedKey(one) < acceptedKey(other) ? 1 : -1)

/** Takes from the end of `added` the entries that sort before this one. */
const takenBefore = (entry: Named, added: ToAccept[]): ToAccept[] => {
  const later = added.findLastIndex((each) => acceptedKey(each) > acceptedKey(entry))
  return added.splice(later + 1).toReversed()
}

const anew = (file: AcceptedFile | undefined): Chunk[] =>
  (file?.items ?? []).map(({ entry }) => ({ entry, above: '', text: itemText(entry, '  ') }))

interface Parts {
  readonly head: string
  readonly indent: string
  readonly chunks: readonly Chunk[]
  readonly tail: string
}

/** A file that accepts nothing: behind its `accepted:` there are at most empty brackets and a comment. */
const partsOfNone = ({ source, list }: AcceptedFile): Parts | undefined => {
  if (list === undefined) return undefined
  const { start, end } = source.lineRange(list.start)
  const line = source.text.slice(start, end)
  if (!/^accepted:[ \t]*(?:\[[ \t]*\])?[ \t]*(?:#.*)?$/u.test(line)) return undefined
  const head = `${source.text.slice(0, start)}${line.replace(/^accepted:[ \t]*\[[ \t]*\]/u, 'accepted:')}\n`
  return { head, indent: '  ', chunks: [], tail: source.text.slice(end).replace(/^\r?\n/u, '') }
}

/** Undefined unless the items are on lines of their own behind hyphens. */
const partsOf = (file: AcceptedFile): Parts | undefined => {
  const { source, items, list } = file
  const { text } = source
  if (items.length === 0) return partsOfNone(file)
  if (list === undefined || text[list.start] === '[') return undefined
  const lineOf = (offset: number): number => source.lineRange(offset).start
  const endOf = (offset: number): number => {
    const { end } = source.lineRange(offset)
    return end + (/^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0)
  }
  const places = items.map(({ entry, node }) => ({
    entry,
    from: lineOf(node.start),
    to: endOf(Math.max(node.start, node.end - 1)),
    indent: /^(?<indent> *)- +$/.exec(text.slice(lineOf(node.start), node.start))?.groups?.['indent'],
  }))
  const [first, last] = [places[0], places.at(-1)]
  if (first?.indent === undefined || last === undefined) return undefined
  if (places.some(({ indent }) => indent !== first.indent)) return undefined
  const listAt = endOf(source.text.lastIndexOf('accepted', list.start))
  const begin = Math.min(listAt, first.from)
  const chunks = places.map(({ entry, from, to }, index): Chunk => {
    const above = text.slice(places[index - 1]?.to ?? begin, from)
    const whole = text.slice(from, to)
    return { entry, above, text: whole.endsWith('\n') ? whole : `${whole}\n` }
  })
  return { head: text.slice(0, begin), indent: first.indent, chunks, tail: text.slice(last.to) }
}

const itemText = (
  { address, manifest, field, values, events, is, reason, until }: ToAccept,
  indent: string,
): string => {
  const inner = `${indent}  `
  const known = Object.entries(values)
  const lines = [
    `address: ${scalar(address)}`,
    ...(manifest === undefined ? [] : [`manifest: ${scalar(manifest)}`]),
    ...(field === undefined ? [] : [`field: ${scalar(field)}`]),
    ...(field === undefined
      ? known.length === 0
        ? []
        : ['values:', ...known.map(([name, value]) => `  ${scalar(name)}: ${scalar(value)}`)]
      : known.map(([, value]) => `value: ${scalar(value)}`)),
    ...(events.length === 0 ? [] : ['events:', ...events.map((id) => `  - ${visible(toJson(id))}`)]),
    ...(is === undefined ? [] : [`is: ${scalar(is)}`]),
    `reason: ${scalar(reason)}`,
    ...(until === undefined ? [] : [`until: ${scalar(until)}`]),
  ]
  return lines.map((line, index) => `${index === 0 ? `${indent}- ` : inner}${line}\n`).join('')
}

/** As JSON, with all that is not seen spelt out: whoever reviews the file has to see what it accepts. */
const scalar = (value: unknown): string =>
  typeof value === 'string' && isBareLine(value) ? value : visible(toJson(value))
