import { allowWords, options, type Block, type KindDefinition } from '../../core/index.ts'
import { findingsOf } from '../../core/check/index.ts'
import { perDefinition } from '../../engine/index.ts'
import { isGiven, isKnown, type Plain } from '../codec/plain.ts'
import { NO_WRITE_ONLY, nothingToAllow, placed } from '../words/configuration.ts'
import { inThisDoor } from '../words/spelled.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { checkField, isSound, lackingIn, readOnlyIn } from '../value-checks.ts'
import { fieldValues } from './entry.ts'

const optionsOf = perDefinition(options)

/** What is wrong with a configuration by itself; each diagnostic points at its attribute. */
export const validateResource = (
  { definition, block }: { readonly definition: KindDefinition; readonly block: Block },
  config: Plain,
  client: { readonly writeOnlyAttributesAllowed: boolean },
): Diagnostic[] => [
  ...Object.entries(definition.fields).flatMap(([name, field]) => checkField(name, field, config)),
  ...readOnlyIn(block, config),
  ...lackingIn(block, config),
  ...checkAllow(definition, config),
  ...checkRemoval(definition, config),
  ...(client.writeOnlyAttributesAllowed ? [] : checkSecrets(definition, config)),
  ...checkRules(definition, config),
]

const checkAllow = (definition: KindDefinition, { values, unknown }: Plain): Diagnostic[] => {
  const words = allowWords(definition)
  const { allow } = values
  return (
    (Array.isArray(allow) ? (allow as readonly (string | null)[]) : [])
      .filter((word, index) => !unknown.has(`allow.${index}`) && (word === null || !words.includes(word)))
      // An allowed act cannot be undone, so no other word is suggested.
      .map((word) => errorAt('allow', nothingToAllow(definition, word)))
  )
}

const checkRemoval = (definition: KindDefinition, config: Plain): Diagnostic[] => {
  const { onRemove } = optionsOf(definition)
  return onRemove === undefined ? [] : checkField('onRemove', onRemove, config)
}

const checkSecrets = ({ fields }: KindDefinition, config: Plain): Diagnostic[] =>
  Object.keys(fields)
    .filter((name) => fields[name]?.type.is === 'secret' && isGiven(config, name))
    .map((name) => errorAt(name, NO_WRITE_ONLY))

const checkRules = (definition: KindDefinition, config: Plain): Diagnostic[] => {
  const values = fieldValues(definition, config.values)
  const found = findingsOf(definition.rules, values, {
    isSound: (path) => isSound(definition, path, config),
    isTold: (name) => isKnown(config, name),
  })
  return found.map(({ path, text, of }) => {
    const [name] = path
    const summary = placed(path, inThisDoor(text, of))
    return errorAt(typeof name === 'string' ? name : undefined, { summary })
  })
}
