import {
  camelToSnake,
  ID_PATTERN,
  isInstant,
  nearest,
  type Field,
  type FieldType,
  type KindDefinition,
} from '../core/index.ts'
import { isAddressOrBlock } from '../engine/index.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import { toValues } from './values.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { allowable } from './allowable.ts'
import { isWhollyKnown, UNKNOWN, type TerraformValue, type TerraformObject } from './wire/value.ts'

/** What is wrong with a configuration by itself; each finding points at its attribute. */
export const validateResource = (
  definition: KindDefinition,
  config: TerraformObject,
  client: { readonly writeOnlyAttributesAllowed: boolean },
): Diagnostic[] => {
  const found = Object.entries(definition.fields).flatMap(([name, field]) => {
    const value = config[camelToSnake(name)]
    return value === undefined || value === null ? [] : checkValue(field, value, camelToSnake(name))
  })
  found.push(...checkAllow(definition, config))
  const onRemove = config['on_remove']
  if (typeof onRemove === 'string' && definition.release[onRemove] === undefined)
    found.push(
      errorAt(
        'on_remove',
        `${onRemove} is no way of removal`,
        `There are: ${Object.keys(definition.release).join(', ')}.`,
      ),
    )
  const secrets = Object.entries(definition.fields).filter(
    ([name, { type }]) => type.is === 'secret' && config[camelToSnake(name)] !== null,
  )
  if (!client.writeOnlyAttributesAllowed)
    for (const [name] of secrets)
      found.push(
        errorAt(
          camelToSnake(name),
          'this Terraform has no write-only attributes',
          'Terraform 1.11 or later keeps a write-only value out of its state; an older one would store it.',
        ),
      )
  return [...found, ...(isWhollyKnown(config) ? checkRules(definition, config) : [])]
}

const checkAllow = (definition: KindDefinition, { allow }: TerraformObject): Diagnostic[] => {
  const words = allowable(definition)
  const there = `There are: ${words.join(', ')}.`
  return (Array.isArray(allow) ? (allow as readonly TerraformValue[]) : []).flatMap((word) => {
    if (typeof word !== 'string' || words.includes(word)) return []
    const close = nearest(word, words)
    return [errorAt('allow', `"${word}" is nothing to allow${didYouMean(close)}`, there)]
  })
}

const didYouMean = (close: string | undefined): string =>
  close === undefined ? '' : `; did you mean ${close}?`

const checkRules = (definition: KindDefinition, config: TerraformObject): Diagnostic[] => {
  const values = toValues(definition.fields, config)
  return definition.rules.flatMap((rule) =>
    rule.over === 'entry'
      ? rule.check(values).map(({ path, message }) => {
          const [name] = path
          return errorAt(typeof name === 'string' ? camelToSnake(name) : undefined, message)
        })
      : [],
  )
}

/**
 * Findings point at the attribute of the resource and name what is within: Terraform shows no place for what
 * is inside of a nested value, and an element of a set has none.
 */
const checkValue = ({ type }: Field, value: TerraformValue, at: string): Diagnostic[] => {
  const [attribute = ''] = at.split('.')
  return problemsIn(type, value).map(({ within, summary, detail, isOpen }) => {
    const text = within.length === 0 ? summary : `${[attribute, ...within].join('.')}: ${summary}`
    return isOpen === true ? warningAt(attribute, text, detail) : errorAt(attribute, text, detail)
  })
}

interface Problem {
  readonly within: readonly string[]
  readonly summary: string
  readonly detail?: string
  /** The set of values is open, so that this is a warning. */
  readonly isOpen?: boolean
}

const problemsIn = (type: FieldType, value: TerraformValue): Problem[] => {
  if (value === UNKNOWN || value === null) return []
  if ((type.is === 'set' || type.is === 'list') && Array.isArray(value)) {
    const few = type.is === 'set' && type.atLeast !== undefined && value.length < type.atLeast
    const inner = (value as readonly TerraformValue[]).flatMap((item) => problemsIn(type.of, item))
    return [...(few ? [{ within: [], summary: `at least ${type.atLeast ?? 1} is needed` }] : []), ...inner]
  }
  if (type.is === 'object')
    return Object.entries(type.fields).flatMap(([name, field]) =>
      problemsIn(field.type, (value as TerraformObject)[camelToSnake(name)] ?? null).map((problem) => ({
        ...problem,
        within: [camelToSnake(name), ...problem.within],
      })),
    )
  return typeof value === 'string' ? problemsInText(type, value) : []
}

const problem = (summary: string, detail = ''): Problem[] => [{ within: [], summary, detail }]

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
      const short = type.minLength !== undefined && value.length < type.minLength
      const long = type.maxLength !== undefined && value.length > type.maxLength
      const limits = `It has to have ${type.minLength ?? 0} to ${type.maxLength ?? 'any number of'}.`
      return short || long ? problem(`the text has ${value.length} characters`, limits) : []
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
