import { YAMLException, parseEvents, type Event } from 'js-yaml'
import type { Node } from './node.ts'
import { explained } from './not-yaml.ts'
import type { FieldsIn } from './outdented.ts'
import type { Report, Span } from './report.ts'
import { SOUNDS_SECRET } from './secrets.ts'
import type { Source } from './source.ts'
import { DEEPEST_TREE, TreeBuilder } from './tree.ts'

interface Wanted {
  /** The hint for an empty file. */
  readonly needs?: string
  /** For a manifest: the fields of its sections. */
  readonly fieldsIn?: FieldsIn
}

/**
 * Parses a file of YAML or JSON into a tree with positions. Reports errors; returns undefined if there is no usable
 * tree.
 */
export const parse = (
  source: Source,
  report: Report,
  { needs = 'a manifest needs version: 1 and a name', fieldsIn = () => undefined }: Wanted = {},
): Node | undefined => {
  const events = eventsOf(source, report)
  if (events === undefined || refuseOtherThanJson(source, report)) return undefined
  const tree = new TreeBuilder(source, report, fieldsIn)
  const [first, second] = tree.build(events)
  if (second !== undefined) {
    const message =
      'a second document begins here; write one document a file, and name several files with --file'
    report.add(second, { path: [], message })
  }
  if (first === undefined || (first.is === 'scalar' && first.value === null)) {
    report.add(span(source, 0), {
      path: [],
      message: `the file is empty; ${needs}`,
    })
    return undefined
  }
  return tree.broken ? undefined : first
}

const eventsOf = (source: Source, report: Report): Event[] | undefined => {
  try {
    return parseEvents(source.text, { filename: '', maxDepth: DEEPEST_TREE })
  } catch (error) {
    const { reason, mark } = error instanceof YAMLException ? error : { reason: 'it cannot be parsed' }
    const position = Math.min(mark?.position ?? 0, Math.max(0, source.text.length - 1))
    const { at, why } = explained(source, position, reason)
    hideSecretsAround(source, at)
    const message = `not valid ${isJson(source) ? 'JSON' : 'YAML'}: ${why}`
    report.add(span(source, at), { path: [], message })
    return undefined
  }
}

const isJson = ({ path }: Source): boolean => /\.json$/i.test(path)

/** YAML accepts more than JSON, such as a comma before a closing brace; other readers of a .json file do not. */
const refuseOtherThanJson = (source: Source, report: Report): boolean => {
  const plain = source.text.replace(/^\uFEFF/, ' ')
  if (!isJson(source) || plain.trim() === '') return false
  try {
    JSON.parse(plain)
    return false
  } catch {
    const tokens = plain.length - plain.replaceAll(JSON_TOKEN, '').length
    // If all tokens are JSON but their order is not, the position of the error is unknown.
    const at = tokens < plain.length ? tokens : 0
    hideSecretsAround(source, at)
    const why =
      plain[at] === ',' ? 'remove this comma' : 'YAML would take this; name the file .yaml, or write JSON'
    report.add(span(source, at), { path: [], message: `not valid JSON: ${why}` })
    return true
  }
}

/**
 * Sticky, so that it matches only at the current position. A comma before a closing brace or bracket is no token.
 */
const JSON_TOKEN =
  /[\s{}[\]:]+|"[ !#-[\]-\uFFFF]*(?:\\["\\/bfnrtu][ !#-[\]-\uFFFF]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)|,(?!\s*[}\]])/gy

const span = (source: Source, start: number): Span => ({ source, start, end: start + 1 })

/** Without a tree it is unknown what is a secret, so lines near a word that sounds like one are hidden. */
const hideSecretsAround = (source: Source, at: number): void => {
  const line = source.lineRange(at)
  const near = source.text.slice(Math.max(0, line.start - 400), line.end)
  if (SOUNDS_SECRET.test(near)) source.hidden.push(line)
}
