import {
  camelToSnake,
  isInstant,
  nearest,
  type Field,
  type FieldType,
  type KindDefinition,
} from '../core/index.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import { toValues } from './values.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { pathTo } from './wire/common-messages.ts'
import { isWhollyKnown, UNKNOWN, type TerraformValue, type TerraformObject } from './wire/value.ts'

/** What is wrong with a configuration by itself; each finding points at its attribute. */
export const validateResource = (
  definition: KindDefinition,
  config: TerraformObject,
  client: { readonly writeOnlyAttributesAllowed: boolean },
): Diagnostic[] => {
  const found = Object.entries(definition.fields).flatMap(([name, field]) => {
    const value = config[camelToSnake(name)]
    return value === undefined || value === null ? [] : checkValue(field, value, [camelToSnake(name)])
  })
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

type Steps = readonly (string | number)[]

const checkValue = (field: Field, value: TerraformValue, path: Steps): Diagnostic[] =>
  checkType(field.type, value, path)

const checkType = (type: FieldType, value: TerraformValue, path: Steps): Diagnostic[] => {
  if (value === UNKNOWN || value === null) return []
  if ((type.is === 'set' || type.is === 'list') && Array.isArray(value)) {
    const few = type.is === 'set' && type.atLeast !== undefined && value.length < type.atLeast
    // An element of a set has no path of its own; the finding names the value and points at the set.
    const inner = (value as readonly TerraformValue[]).flatMap((item, index) =>
      checkType(type.of, item, type.is === 'list' ? [...path, index] : path),
    )
    return [...(few ? [at(path, `at least ${type.atLeast ?? 1} is needed`)] : []), ...inner]
  }
  if (type.is === 'object')
    return Object.entries(type.fields).flatMap(([name, field]) => {
      const part = (value as TerraformObject)[camelToSnake(name)]
      return part === undefined
        ? []
        : checkType(
            field.type,
            part,
            typeof path.at(-1) === 'number' || path.length === 1 ? [...path, camelToSnake(name)] : path,
          )
    })
  return typeof value === 'string' ? checkText(type, value, path) : []
}

const checkText = (type: FieldType, value: string, path: Steps): Diagnostic[] => {
  switch (type.is) {
    case 'enum': {
      if (type.values.includes(value)) return []
      const close = nearest(value, type.values)
      const summary = `"${value}" is not a known ${type.noun}${close === undefined ? '' : `; did you mean ${close}?`}`
      if (type.open) return [{ ...warningAt(undefined, summary), attribute: pathTo(...path) }]
      return [at(path, summary, `Allowed: ${type.values.join(', ')}.`)]
    }
    case 'instant':
      return isInstant(value)
        ? []
        : [at(path, `"${value}" is no instant`, 'Write it as 2026-12-05T02:00:00Z.')]
    case 'string': {
      const short = type.minLength !== undefined && value.length < type.minLength
      const long = type.maxLength !== undefined && value.length > type.maxLength
      if (!short && !long) return []
      return [
        at(
          path,
          `the text has ${value.length} characters`,
          `It has to have ${type.minLength ?? 0} to ${type.maxLength ?? 'any number of'}.`,
        ),
      ]
    }
    case 'id':
      return /^[^\s/]+$/.test(value) && value !== '.' && value !== '..'
        ? []
        : [at(path, `"${value}" is no id`)]
    case 'cidr':
      return /^[0-9a-f.:]+(?:\/\d{1,3})?$/i.test(value)
        ? []
        : [at(path, `"${value}" is neither an address nor a block`)]
    default:
      return []
  }
}

const at = (path: Steps, summary: string, detail = ''): Diagnostic => ({
  ...errorAt(undefined, summary, detail),
  attribute: pathTo(...path),
})
