import { isNone, type KindDefinition } from '../../core/index.ts'
import { isGiven, type Plain } from '../codec/plain.ts'
import { needed, neededToAdopt, noLongerDeclared } from '../words.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'

/** What creating or adopting needs and the configuration does not have. */
export const missingIn = (definition: KindDefinition, config: Plain): Diagnostic[] => {
  const { identity, establish, fields } = definition
  const adopting = isGiven(config, identity.key) || isNone(establish.create)
  const missing = Object.entries(fields).filter(([name, { need, change, default: fallback }]) => {
    const isNeeded = need === 'always' || (need === 'to-create' && !adopting)
    return isNeeded && change !== 'computed' && fallback === undefined && !isGiven(config, name)
  })
  return [
    ...missing.map(([name, { summary }]) =>
      errorAt(name, needed(name, adopting ? 'manage' : 'create', summary)),
    ),
    ...(adopting ? missingToAdopt(definition, config) : []),
  ]
}

/** What taking over something that exists needs to be said first. */
export const missingToAdopt = ({ establish }: KindDefinition, { values, unknown }: Plain): Diagnostic[] => {
  const requires = isNone(establish.adopt) ? undefined : establish.adopt.requires
  if (requires === undefined || values[requires.field] === true || unknown.has(requires.field)) return []
  return [errorAt(requires.field, neededToAdopt(requires.field, requires.because))]
}

/** Values that stand and that the configuration no longer has: needed ones, and those that Terraform shows as taken away. */
export const takenOut = ({ fields }: KindDefinition, prior: Plain, config: Plain): Diagnostic[] => {
  const gone = Object.entries(fields).filter(
    ([name, { part }]) => part === 'value' && isGiven(prior, name) && !isGiven(config, name),
  )
  return [
    ...gone
      .filter(([, { need, change }]) => need !== 'always' && change !== 'computed')
      .map(([name]) => warningAt(undefined, noLongerDeclared(name))),
    ...gone
      .filter(([, { need }]) => need === 'always')
      .map(([name, { summary }]) => errorAt(name, needed(name, 'manage', summary))),
  ]
}
