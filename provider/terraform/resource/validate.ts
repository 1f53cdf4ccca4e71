import { allowWords, type Block, type Field, type KindDefinition } from '../../core/index.ts'
import { isGiven, isKnown, type Plain } from '../codec/plain.ts'
import { noWayOfRemoval, NO_WRITE_ONLY, nothingToAllow, placed } from '../diagnostic-words.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import { readOnlyIn } from '../read-only.ts'
import { problemsIn } from '../value-problems.ts'
import { fieldValues } from './entry.ts'

/** What is wrong with a configuration by itself; each finding points at its attribute. */
export const validateResource = (
  { definition, block }: { readonly definition: KindDefinition; readonly block: Block },
  config: Plain,
  client: { readonly writeOnlyAttributesAllowed: boolean },
): Diagnostic[] => [
  ...Object.entries(definition.fields).flatMap(([name, field]) => checkField(name, field, config)),
  ...readOnlyIn(block, config),
  ...checkAllow(definition, config),
  ...checkRemoval(definition, config),
  ...(client.writeOnlyAttributesAllowed ? [] : checkSecrets(definition, config)),
  ...checkRules(definition, config),
]

/**
 * Findings point at the attribute of the resource and name what is within: Terraform shows no place for what
 * is inside of a nested value, and an element of a set has none.
 */
const checkField = (name: string, { type }: Field, { values, unknown }: Plain): Diagnostic[] =>
  problemsIn(type, values[name], name, unknown).map(({ within, summary, detail, isOpen }) => {
    const text = { summary: placed([name, ...within], summary), detail }
    return isOpen === true ? warningAt(name, text) : errorAt(name, text)
  })

const checkAllow = (definition: KindDefinition, { values, unknown }: Plain): Diagnostic[] => {
  const words = allowWords(definition)
  const { allow } = values
  return (
    (Array.isArray(allow) ? (allow as readonly (string | null)[]) : [])
      .filter((word, index) => !unknown.has(`allow.${index}`) && (word === null || !words.includes(word)))
      // What is allowed cannot be undone: no other word is suggested in its place.
      .map((word) => errorAt('allow', nothingToAllow(definition, word)))
  )
}

const checkRemoval = (definition: KindDefinition, { values: { onRemove } }: Plain): Diagnostic[] =>
  typeof onRemove === 'string' && definition.release[onRemove] === undefined
    ? [errorAt('onRemove', noWayOfRemoval(definition, onRemove))]
    : []

const checkSecrets = ({ fields }: KindDefinition, config: Plain): Diagnostic[] =>
  Object.keys(fields)
    .filter((name) => fields[name]?.type.is === 'secret' && isGiven(config, name))
    .map((name) => errorAt(name, NO_WRITE_ONLY))

/** A rule is asked where all that it reads is known and sound by itself. */
const checkRules = (definition: KindDefinition, config: Plain): Diagnostic[] => {
  const values = fieldValues(definition, config.values)
  return definition.rules.flatMap((rule) =>
    rule.over === 'entry' && rule.reads.every((name) => isSound(definition.fields[name], config, name))
      ? rule.check(values).map(({ path, message }) => {
          const [name] = path
          return errorAt(typeof name === 'string' ? name : undefined, { summary: placed(path, message) })
        })
      : [],
  )
}

const isSound = (field: Field | undefined, config: Plain, name: string): boolean =>
  field === undefined ||
  (isKnown(config, name) &&
    problemsIn(field.type, config.values[name], name, config.unknown).every(({ isOpen }) => isOpen))
