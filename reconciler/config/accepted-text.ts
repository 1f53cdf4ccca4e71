import { toJson } from '../text/json.ts'
import { keyOf, type AcceptedEntry, type AcceptedFile } from './accepted.ts'

/** An entry that is to be written. */
export type ToAccept = Omit<AcceptedEntry, 'at'>

const HEADER = `# Drift that was found and is accepted. deploymgmt drift accept writes here; who did and when is in the history of
# this file. An entry counts as long as what is live is what it says, and until the day that it says.
version: 1
accepted:
`

/** Items that stand together, with the comments above them. */
interface Chunk {
  readonly key: string
  readonly address: string
  readonly above: string
  readonly text: string
}

/**
 * The file with these entries in it: one that is there for the same address and field is replaced, and one of a whole
 * address replaces those of its fields. Comments, and the order of what is there, stay.
 */
export const textWith = (file: AcceptedFile | undefined, entries: readonly ToAccept[]): string => {
  const parts = file === undefined ? undefined : partsOf(file)
  // What is written within brackets is written anew.
  const { head, indent, chunks, tail } = parts ?? { head: HEADER, indent: '  ', chunks: anew(file), tail: '' }
  const result = [...chunks]
  for (const entry of entries) {
    const key = keyOf(entry)
    const above = result.find((each) => each.key === key)?.above ?? ''
    const chunk = { key, address: entry.address, above, text: itemText(entry, indent) }
    const isReplaced = (each: Chunk): boolean =>
      each.key === key || (entry.field === undefined && each.address === entry.address)
    const at = result.findIndex((each) => each.key === key)
    const others = result.filter((each) => !isReplaced(each))
    const before = at >= 0 ? result.slice(0, at).filter((each) => !isReplaced(each)).length : -1
    const later = others.findIndex((each) => each.key > key)
    others.splice(before >= 0 ? before : later < 0 ? others.length : later, 0, chunk)
    result.splice(0, result.length, ...others)
  }
  return head + result.map(({ above, text }) => above + text).join('') + tail
}

const anew = (file: AcceptedFile | undefined): Chunk[] =>
  (file?.items ?? []).map(({ entry }) => ({
    key: keyOf(entry),
    address: entry.address,
    above: '',
    text: itemText(entry, '  '),
  }))

/** Nothing where items do not stand on lines of their own behind hyphens. */
const partsOf = ({ source, items, list }: AcceptedFile) => {
  const { text } = source
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
    return {
      key: keyOf(entry),
      address: entry.address,
      above,
      text: whole.endsWith('\n') ? whole : `${whole}\n`,
    }
  })
  return { head: text.slice(0, begin), indent: first.indent, chunks, tail: text.slice(last.to) }
}

const itemText = (
  { address, field, values, events, is, reason, until }: ToAccept,
  indent: string,
): string => {
  const inner = `${indent}  `
  const known = Object.entries(values)
  const lines = [
    `address: ${scalar(address)}`,
    ...(field === undefined ? [] : [`field: ${scalar(field)}`]),
    ...(field === undefined
      ? known.length === 0
        ? []
        : ['values:', ...known.map(([name, value]) => `  ${scalar(name)}: ${scalar(value)}`)]
      : known.map(([, value]) => `value: ${scalar(value)}`)),
    ...(events.length === 0 ? [] : ['events:', ...events.map((id) => `  - ${toJson(id)}`)]),
    ...(is === undefined ? [] : [`is: ${scalar(is)}`]),
    `reason: ${scalar(reason)}`,
    ...(until === undefined ? [] : [`until: ${scalar(until)}`]),
  ]
  return lines.map((line, index) => `${index === 0 ? `${indent}- ` : inner}${line}\n`).join('')
}

/** Words that mean themselves in YAML without quotes. */
const BARE = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z](?:[\w ,./@()+-]*[\w./)+-])?$/i
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/

const scalar = (value: unknown): string =>
  typeof value === 'string' && (BARE.test(value) || DATE.test(value)) ? value : toJson(value)
