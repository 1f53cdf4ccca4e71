import { camelToSnake, type KindDefinition } from '../core/index.ts'
import { placeKey, type Need, type Run } from '../engine/index.ts'
import { wordOf } from './allowable.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import { addressOf, identityIn } from './resource-entry.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import type { TerraformObject } from './wire/value.ts'
import { words } from './words.ts'

export const allowedIn = ({ allow }: TerraformObject): ReadonlySet<string> =>
  new Set(Array.isArray(allow) ? allow.map((name) => `--allow-${String(name)}`) : [])

/** What apply refuses: changes that are blocked, and those that have to be asked for. */
export const refusals = (
  definition: KindDefinition,
  { plan, observed }: Pick<Run, 'plan' | 'observed'>,
  object: TerraformObject,
): Diagnostic[] =>
  plan.planned.flatMap(({ change }) => {
    const allowed = allowedIn(object)
    const needs = (change.needs ?? []).filter(({ flag }) => !allowed.has(flag))
    const path = change.fields[0]?.path
    const isNowhere = observed.absent.has(placeKey(definition, identityIn(definition, object)))
    const named = isNowhere ? placeAttribute(definition) : namingAttribute(definition, object)
    const at = path === undefined ? named : camelToSnake(path)
    const say = staysBesides(definition, change.address) ? warningAt : errorAt
    return [
      ...(change.action === 'blocked' ? [say(at, words.says(change.reason), words.step(change.reason))] : []),
      ...needs.map(neededAt),
    ]
  })

/** One of several that are to go and that no call deletes: the others go all the same. */
const staysBesides = (definition: KindDefinition, address: string): boolean =>
  definition.expand.shows?.once === 'gone' && address !== addressOf(definition)

/** What has to be asked for is asked for in the configuration: there is no flag in this door. */
export const neededAt = ({ flag, because }: Need): Diagnostic =>
  errorAt(
    'allow',
    `DM-GUARD: refused: ${words.says(because)}`,
    `If that is what you want: allow = ["${wordOf(flag)}"].`,
  )

/** The attribute that says which thing is meant: its key, or what selects it. */
export const namingAttribute = (
  { identity, fields }: KindDefinition,
  object: TerraformObject,
): string | undefined => {
  const selecting = Object.keys(fields).filter(
    (name) => fields[name]?.part === 'local' && fields[name].default === undefined,
  )
  return [identity.key, ...selecting].map(camelToSnake).find((name) => (object[name] ?? null) !== null)
}

/** The attribute that says where it is: its project, or its organization. */
export const placeAttribute = ({ identity }: KindDefinition): string | undefined =>
  identity.scope.map(camelToSnake)[0]
