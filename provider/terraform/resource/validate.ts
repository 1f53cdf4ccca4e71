import { allowWords, camelToSnake, type Block, type Field, type KindDefinition } from '../../core/index.ts'
import { errorAt, warningAt } from '../diagnostics.ts'
import { readOnlyIn } from '../read-only.ts'
import { problemsIn } from '../value-problems.ts'
import { toValues } from '../codec/values.ts'
import type { Diagnostic } from '../wire/common-messages.ts'
import { isWhollyKnown, type TerraformValue, type TerraformObject } from '../wire/value.ts'

/** What is wrong with a configuration by itself; each finding points at its attribute. */
export const validateResource = (
  { definition, block }: { readonly definition: KindDefinition; readonly block: Block },
  config: TerraformObject,
  client: { readonly writeOnlyAttributesAllowed: boolean },
): Diagnostic[] => {
  const found = Object.entries(definition.fields).flatMap(([name, field]) => {
    const value = config[camelToSnake(name)]
    return value === undefined || value === null ? [] : checkValue(field, value, camelToSnake(name))
  })
  found.push(...readOnlyIn(block, config), ...checkAllow(definition, config))
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
  return [...found, ...checkRules(definition, config)]
}

const checkAllow = (definition: KindDefinition, { allow }: TerraformObject): Diagnostic[] => {
  const words = allowWords(definition)
  const there = `There are: ${words.join(', ')}.`
  return (Array.isArray(allow) ? (allow as readonly TerraformValue[]) : []).flatMap((word) => {
    if (word === null) return [errorAt('allow', 'allow: it has no value at this place', there)]
    if (typeof word !== 'string' || words.includes(word)) return []
    // What is allowed cannot be undone: no other word is suggested in its place.
    return [errorAt('allow', `"${word}" is nothing to allow`, there)]
  })
}

/** A rule is asked where all that it reads is known and sound by itself. */
const checkRules = (definition: KindDefinition, config: TerraformObject): Diagnostic[] => {
  const values = toValues(definition.fields, config)
  return definition.rules.flatMap((rule) =>
    rule.over === 'entry' && rule.reads.every((name) => isSound(definition.fields[name], config, name))
      ? rule.check(values).map(({ path, message }) => {
          const [name] = path
          return typeof name === 'string'
            ? errorAt(camelToSnake(name), placed(path, message))
            : errorAt(undefined, message)
        })
      : [],
  )
}

const isSound = (field: Field | undefined, config: TerraformObject, name: string): boolean => {
  const value = config[camelToSnake(name)] ?? null
  return (
    field === undefined ||
    (isWhollyKnown(value) && problemsIn(field.type, value).every(({ isOpen }) => isOpen))
  )
}

/** Terraform shows the attribute alone, so that a place within is said; an element has no name to be called by. */
const placed = (path: readonly (string | number)[], message: string): string => {
  const names = path.filter((part) => typeof part === 'string')
  return names.length < 2 ? message : `${names.map(camelToSnake).join('.')}: ${message}`
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
