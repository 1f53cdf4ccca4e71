import { defaultRelease, nearest, type KindDefinition } from '@deploymgmt/provider/core'
import { clip, didYouMean } from '@deploymgmt/provider/core/text'
import { stepsOf } from '../evaluation/expressions.ts'
import { DEEPEST, LONGEST, TOO_DEEP, TOO_LONG } from '../tree/limits.ts'
import { nodeAt, pairOf, type Node, type ScalarNode } from '../tree/node.ts'
import { attributesOf } from './attributes.ts'
import { kindOfType, type Context } from './context.ts'
import { dataText } from './data-text.ts'
import { numberText } from './primitives.ts'

/** A text with manifest references in place of Terraform's, or everything that prevents the translation. */
type Text = { readonly text: string } | { readonly wrong: readonly string[] }

const wrong = (reason: string): Text => ({ wrong: [reason] })

/** The context of a text. */
interface Within {
  readonly context: Context
  /** The references that led to it. */
  readonly open: readonly string[]
  /** Wrong locals and parts in this value: each is visited once, however often it is referred to. */
  readonly failed: Map<string, Text>
}

const NAME = '[A-Za-z_][A-Za-z0-9_-]*'
const VARIABLE = new RegExp(`^var\\.(${NAME})$`)
const LOCAL = new RegExp(`^local\\.(${NAME})$`)
const OF_RESOURCE = new RegExp(`^(${NAME})\\.(${NAME})\\.(${NAME}(?:\\.${NAME})*)$`)
const DATA = new RegExp(`^data\\.(${NAME})\\.(${NAME})((?:\\.${NAME}|\\[\\d+\\])+)$`)
const WHOLE_LOCAL = new RegExp(`^\\$\\{\\s*local\\.(${NAME})\\s*\\}$`)
const WHOLE_VARIABLE = new RegExp(`^\\$\\{\\s*var\\.(${NAME})\\s*\\}$`)

export const mayHoldTemplate = (text: string): boolean => text.includes('${') || text.includes('%{')

/** The local that makes up the whole text; its value may be more than a text. */
export const wholeLocal = (text: string): string | undefined => WHOLE_LOCAL.exec(text)?.[1]
export const wholeVariable = (text: string): string | undefined => WHOLE_VARIABLE.exec(text)?.[1]

/** The value of a local, or why there is none. */
export const localNamed = (context: Context, name: string, open: readonly string[]): Node | string => {
  const locals = pairOf(context.document, 'locals')?.value
  const found = pairOf(locals, name)?.value
  if (found === undefined) {
    const names = locals?.is === 'map' ? [...locals.pairs.keys()] : []
    return `there is no local ${name}${didYouMean(nearest(name, names))}`
  }
  if (open.includes(name)) return `locals refer to one another in a circle: ${[...open, name].join(' → ')}`
  return open.length >= DEEPEST ? TOO_DEEP : found
}

/** Translates references in a text, such as `${deploymgmt_user.dana.user_id}` to `${users.dana.userId}`. */
export const translateText = (text: string, context: Context, open: readonly string[]): Text =>
  translate(text, { context, open, failed: new Map() })

const translate = (text: string, within: Within): Text => {
  let result = ''
  const reasons = new Set<string>()
  for (const piece of piecesOf(text)) {
    const part = piece.is === 'reference' ? translateReference(piece.source, within) : piece
    if ('text' in part) result += part.text
    else for (const reason of part.wrong) reasons.add(reason)
    if (piece.is === 'text' || result.length <= LONGEST) continue
    reasons.add(TOO_LONG)
    break
  }
  return reasons.size > 0 ? { wrong: [...reasons] } : { text: result }
}

/** A part of a text: what stays as it is in a manifest, or a reference, or what cannot be translated. */
type Piece =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'reference'; readonly source: string }
  | { readonly is: 'wrong'; readonly wrong: readonly string[] }

const piecesOf = function* (text: string): Generator<Piece, void> {
  let at = 0
  for (const { 0: opening, index } of text.matchAll(/[$%]\{/g)) {
    if (index < at) continue
    const [mark = ''] = opening
    const plain = text.slice(at, index)
    at = index + opening.length
    if (plain.endsWith(mark)) {
      // A manifest only has `${`, so `%%{` becomes a literal `%{`.
      yield { is: 'text', text: mark === '%' ? `${plain.slice(0, -1)}%{` : `${plain}\${` }
      continue
    }
    yield { is: 'text', text: plain }
    const end = closing(text, at)
    if (mark === '%') yield DIRECTIVE
    else yield end < 0 ? UNCLOSED : { is: 'reference', source: text.slice(at, end).trim() }
    if (end < 0) return
    at = end + 1
  }
  yield { is: 'text', text: text.slice(at) }
}

const DIRECTIVE: Piece = {
  is: 'wrong',
  wrong: ['directives (%{ … }) are worked out by Terraform; write the text itself'],
}
const UNCLOSED: Piece = { is: 'wrong', wrong: ['an expression begins with ${ here and has no }'] }

/** The index of an expression's closing brace; skips nested braces and texts. */
const closing = (text: string, from: number): number => {
  let [depth, quoted] = [0, false]
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\' && quoted) at += 1
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === '{') depth += 1
    else if (!quoted && character === '}' && depth-- === 0) return at
  }
  return -1
}

/** Conversions that bindings put around references to lists; a declared value has its type already. */
const CONVERSION = /^to(?:list|set|string|number|bool)\((.*)\)$/s

const translateReference = (given: string, within: Within): Text => {
  const { context } = within
  const source = CONVERSION.exec(given)?.[1]?.trim() ?? given
  const [, variable] = VARIABLE.exec(source) ?? []
  if (variable !== undefined) return variableText(variable, context)
  const [, local] = LOCAL.exec(source) ?? []
  if (local !== undefined) return localText(local, within)
  const [, dataType, dataName, steps] = DATA.exec(source) ?? []
  if (dataType !== undefined && dataName !== undefined && steps !== undefined)
    return dataText(context, dataType, dataName, stepsOf(steps))
  return resourceText(source, within) ?? wrong(`\${${shortened(given)}} ${whyNot(given)}`)
}

/** What refers to a resource of this provider; undefined for anything else, and for what nothing can refer to. */
const resourceText = (source: string, within: Within): Text | undefined => {
  const [, type = '', name = '', path = ''] = OF_RESOURCE.exec(source) ?? []
  const kind = kindOfType(within.context, type)
  if (kind === undefined) return undefined
  const steps = path.split('.')
  if (steps.length === 1 && !isRemoval(kind, path)) return attributeText(kind, name, path)
  const node = nodeAt(within.context.document, 'resource', type, name, ...steps)
  return partText({ source, kind, steps, node }, within)
}

/** A setting of removal is no field; its value is taken from the declaration. */
const isRemoval = (kind: KindDefinition, attribute: string): boolean =>
  attributesOf(kind).get(attribute)?.key === 'onRemove'

interface Part {
  readonly source: string
  readonly kind: KindDefinition
  /** The attribute, and the names within it. */
  readonly steps: readonly string[]
  readonly node: Node | undefined
}

/** A part of a resource's declared value, such as `select.event_type_name`, is taken from the declaration. */
const partText = ({ source, kind, steps, node }: Part, within: Within): Text | undefined => {
  const { open } = within
  const [attribute = ''] = steps
  const field = attributesOf(kind).get(attribute)?.field
  if (field === undefined ? !isRemoval(kind, attribute) : field.type.is === 'secret') return undefined
  if (open.includes(source)) return wrong(`${source} refers to itself`)
  if (open.length >= DEEPEST) return wrong(TOO_DEEP)
  // Only a setting of removal has no field.
  if (node === undefined && field === undefined && steps.length === 1) return { text: defaultRelease(kind) }
  if (node?.is !== 'scalar' || node.value === null)
    return wrong(`\${${shortened(source)}} is not declared by a plain value here; write the value itself`)
  return textOnce(source, node, { ...within, open: [...open, source] })
}

/** The text of a scalar. Errors are computed again for each value, because the message contains the path to it. */
const textOnce = (source: string, { value, text }: ScalarNode, within: Within): Text => {
  if (typeof value === 'number') return { text: numberText(text) ?? text }
  if (typeof value !== 'string') return { text }
  const { context, failed } = within
  const known = context.texts.get(source)
  if (known !== undefined) return { text: known }
  const before = failed.get(source)
  if (before !== undefined) return before
  const translated = translate(value, within)
  if ('text' in translated) context.texts.set(source, translated.text)
  else failed.set(source, translated)
  return translated
}

const variableText = (name: string, context: Context): Text => {
  const declared = nodeAt(context.document, 'variable', name)
  const kept = ['sensitive', 'ephemeral'].find((trait) => {
    const said = pairOf(declared, trait)?.value
    return said?.is === 'scalar' && said.value === true
  })
  if (kept !== undefined)
    return wrong(
      `\${var.${name}} is ${kept}, and a plan and the state would show it here; such a variable can only stand for a password`,
    )
  context.used.add(name)
  return { text: `\${var.${name}}` }
}

const localText = (name: string, within: Within): Text => {
  const { context, open } = within
  const found = localNamed(context, name, open)
  if (typeof found === 'string') return wrong(found)
  if (found.is !== 'scalar' || found.value === null)
    return wrong(`\${local.${name}} is not text, so it cannot be part of a text`)
  return textOnce(`local.${name}`, found, { ...within, open: [...open, name] })
}

const attributeText = (kind: KindDefinition, name: string, attribute: string): Text => {
  const { identity, section } = kind
  const of = (field: string): string => `\${${section}.${name}.${field}}`
  if (attribute === 'id')
    return {
      text:
        identity.assigned === 'never'
          ? [...identity.scope, identity.key].map(of).join('/')
          : of(identity.key),
    }
  const attributes = attributesOf(kind)
  const found = attributes.get(attribute)
  if (found?.field !== undefined)
    return found.field.type.is === 'secret'
      ? wrong(`${attribute} is a secret, so nothing can refer to it`)
      : { text: of(found.key) }
  if (found?.use === 'computed')
    return wrong(`${attribute} is set by the provider while Terraform runs, and is not known here`)
  const fieldNames = [...attributes.values()].flatMap((each) =>
    each.field === undefined || each.field.type.is === 'secret' ? [] : [each.name],
  )
  return wrong(`there is no attribute ${attribute}${didYouMean(nearest(attribute, fieldNames))}`)
}

const shortened = (source: string): string => (source.length > 60 ? clip(source, 57) : source)

/** Prefixes of references that only Terraform can resolve. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [
    /^data\./,
    'is worked out by Terraform; refer to one value of a data source, such as data.deploymgmt_alerts.open.results[0].id',
  ],
  [/^module\./, 'is an output of a module; declare what the module declares in this stack'],
  [
    /^(?:each|count)\./,
    'belongs to for_each or count; make one resource for each with a loop in the program',
  ],
  [/^(?:path|terraform|self)\./, 'is known only to Terraform; write the value itself'],
  [/^[A-Za-z_][\w-]*\s*\(/, 'is a function of Terraform; work the value out in the program'],
  [/\[|\.\*|\.\d/, 'is a part of a value; refer to a whole attribute'],
  [
    /^[A-Za-z_][\w-]*\.[\w-]+(?:\.[\w-]+)?$/,
    'is not a variable, a local or an attribute of a resource of this provider',
  ],
]

const whyNot = (source: string): string =>
  FOREIGN.find(([form]) => form.test(source))?.[1] ??
  'has to be worked out by Terraform; a variable, a local or an attribute of a resource can stand here'
