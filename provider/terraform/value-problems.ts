import { ID_PATTERN, isInstant, nearest, type FieldType, type Values } from '../core/index.ts'
import { isAddressOrBlock } from '../engine/index.ts'

/** What is wrong with a value, and where within it. */
export interface Problem {
  readonly within: readonly string[]
  readonly summary: string
  readonly detail?: string
  /** The set of values is open, so that this is a warning. */
  readonly isOpen?: boolean
}

/** Everything that is wrong with the value at a path; what is not known yet is looked at once it is. */
export const problemsIn = (
  type: FieldType,
  value: unknown,
  path: string,
  unknown: ReadonlySet<string>,
): Problem[] => {
  if (unknown.has(path) || value === undefined || value === null) return []
  if ((type.is === 'set' || type.is === 'list') && Array.isArray(value)) {
    const few = type.is === 'set' && type.atLeast !== undefined && value.length < type.atLeast
    const inner = value.flatMap((item: unknown, index) =>
      item === null && !unknown.has(`${path}.${index}`)
        ? NOTHING
        : problemsIn(type.of, item, `${path}.${index}`, unknown),
    )
    return [...(few ? [{ within: [], summary: `at least ${type.atLeast ?? 1} is needed` }] : []), ...inner]
  }
  if (type.is === 'object')
    return Object.entries(type.fields).flatMap(([name, field]) => {
      const [inner, at] = [(value as Values)[name], `${path}.${name}`]
      const isMissing = inner === undefined && !unknown.has(at) && field.need === 'always'
      const found = isMissing ? NOTHING : problemsIn(field.type, inner, at, unknown)
      return found.map((each) => ({ ...each, within: [name, ...each.within] }))
    })
  return typeof value === 'string' ? problemsInText(type, value) : []
}

const didYouMean = (close: string | undefined): string =>
  close === undefined ? '' : `; did you mean ${close}?`

const problem = (summary: string, detail = ''): Problem[] => [{ within: [], summary, detail }]

/** Null says nothing of an attribute, and in a collection there is nothing that it could be left out of. */
const NOTHING = problem('it has no value at this place')

const problemsInText = (type: FieldType, value: string): Problem[] => {
  switch (type.is) {
    case 'enum': {
      if (type.values.includes(value)) return []
      const summary = `"${value}" is not a known ${type.noun}${didYouMean(nearest(value, type.values))}`
      if (type.open) return [{ within: [], summary, isOpen: true }]
      return problem(summary, `Allowed: ${type.values.join(', ')}.`)
    }
    case 'instant':
      return isInstant(value) ? [] : problem(`"${value}" is no instant`, 'Write it as 2026-12-05T02:00:00Z.')
    case 'string': {
      // As the JSON Schema of a manifest counts: characters, and not halves of them.
      const { length } = Array.from(value)
      const short = type.minLength !== undefined && length < type.minLength
      const long = type.maxLength !== undefined && length > type.maxLength
      return short || long ? problem(`the text has ${length} characters`, limitsOf(type)) : []
    }
    case 'id':
      return ID.test(value) ? [] : problem(`"${value}" is no id`)
    case 'cidr':
      return isAddressOrBlock(value) ? [] : problem(`"${value}" is neither an address nor a block`)
    default:
      return []
  }
}

/** Letters, digits and a few signs: `..` or a slash would lead out of a path. */
const ID = new RegExp(ID_PATTERN, 'u')

const limitsOf = ({ minLength, maxLength }: { minLength?: number; maxLength?: number }): string =>
  `It has to have ${[
    ...(minLength === undefined ? [] : [`at least ${minLength}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength}`]),
  ].join(' and ')}.`
