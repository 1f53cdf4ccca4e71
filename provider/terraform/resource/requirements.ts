import { camelToSnake, isNone, type KindDefinition } from '../../core/index.ts'
import { errorAt, warningAt } from '../diagnostics.ts'
import type { Diagnostic } from '../wire/common-messages.ts'
import { UNKNOWN, type TerraformObject } from '../wire/value.ts'

/** What creating or adopting needs and the configuration does not have. */
export const lacking = (definition: KindDefinition, config: TerraformObject): Diagnostic[] => {
  const { identity, establish, fields } = definition
  const adopting = !isNull(config, identity.key) || isNone(establish.create)
  const missing = Object.entries(fields).filter(([name, field]) => {
    const { need, change } = field
    const isNeeded = need === 'always' || (need === 'to-create' && !adopting)
    return isNeeded && change !== 'computed' && field.default === undefined && isNull(config, name)
  })
  return [
    ...missing.map(([name, { summary }]) =>
      errorAt(
        camelToSnake(name),
        `${camelToSnake(name)} is needed to ${adopting ? 'manage' : 'create'} it`,
        summary,
      ),
    ),
    ...(adopting ? lackingToAdopt(definition, config) : []),
  ]
}

/** What taking over something that exists needs to be said first. */
export const lackingToAdopt = ({ establish }: KindDefinition, config: TerraformObject): Diagnostic[] => {
  const requires = isNone(establish.adopt) ? undefined : establish.adopt.requires
  if (requires === undefined) return []
  const attribute = camelToSnake(requires.field)
  const given = config[attribute]
  return given === true || given === UNKNOWN
    ? []
    : [errorAt(attribute, `adopting needs ${attribute} = true`, `For ${requires.because}.`)]
}

/** Values that stand and that the configuration no longer has, though nothing is without them. */
export const withdrawn = (
  { fields }: KindDefinition,
  prior: TerraformObject,
  config: TerraformObject,
): Diagnostic[] =>
  Object.entries(fields)
    .filter(([name, { need, part }]) => need === 'always' && part === 'value' && isNull(config, name))
    .filter(([name]) => !isNull(prior, name))
    .map(([name, { summary }]) =>
      errorAt(camelToSnake(name), `${camelToSnake(name)} is needed to manage it`, summary),
    )

/** Terraform shows such a value as taken away; nothing takes it away. */
export const leftOut = (
  { fields }: KindDefinition,
  prior: TerraformObject,
  config: TerraformObject,
): Diagnostic[] =>
  Object.entries(fields)
    .filter(([, { need, part, change }]) => need !== 'always' && part === 'value' && change !== 'computed')
    .filter(([name]) => !isNull(prior, name) && isNull(config, name))
    .map(([name]) =>
      warningAt(
        undefined,
        `${camelToSnake(name)} is no longer declared: nothing is sent, and the service keeps what it has`,
        'It is neither compared nor written from now on, whatever the plan shows of it.',
      ),
    )

const isNull = (object: TerraformObject, name: string): boolean =>
  (object[camelToSnake(name)] ?? null) === null
