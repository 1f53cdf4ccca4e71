import { isNone, type KindDefinition } from '../../core/index.ts'
import { isGiven, type Plain } from '../codec/plain.ts'
import { needed, neededToAdopt, noLongerCompared, noLongerDeclared } from '../words/plans.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'

/** What creating or adopting needs, beyond what the schema requires, and the configuration does not have. */
export const missingIn = (definition: KindDefinition, config: Plain): Diagnostic[] => {
  const { identity, establish, fields } = definition
  if (isGiven(config, identity.key) || isNone(establish.create)) return missingToAdopt(definition, config)
  return Object.entries(fields)
    .filter(([name, { need }]) => need === 'to-create' && !isGiven(config, name))
    .map(([name, { summary }]) => errorAt(name, needed(name, 'create', summary)))
}

/** What has to be declared first to take over an existing thing. */
export const missingToAdopt = ({ establish }: KindDefinition, { values, unknown }: Plain): Diagnostic[] => {
  const requires = isNone(establish.adopt) ? undefined : establish.adopt.requires
  if (requires === undefined || values[requires.field] === true || unknown.has(requires.field)) return []
  return [errorAt(requires.field, neededToAdopt(requires.field, requires.because))]
}

/** Values that stay in place, are no longer configured, and look removed in Terraform's plan. */
export const takenOut = ({ fields }: KindDefinition, prior: Plain, config: Plain): Diagnostic[] =>
  Object.entries(fields)
    .filter(
      ([name, { part, change }]) =>
        part === 'value' && change !== 'computed' && isGiven(prior, name) && !isGiven(config, name),
    )
    .map(([name, { change }]) =>
      warningAt(undefined, change === 'elsewhere' ? noLongerCompared(name) : noLongerDeclared(name)),
    )
