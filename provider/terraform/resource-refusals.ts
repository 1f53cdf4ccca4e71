import { camelToSnake, textOf, type KindDefinition } from '../core/index.ts'
import { readAndPlan, type PlannedChange } from '../engine/index.ts'
import { wordOf } from './allowable.ts'
import type { Configured } from './configured.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import { addressOf, declarationOf, entryOf, secretMarks } from './resource-entry.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { isWhollyKnown, type TerraformObject } from './wire/value.ts'

export const allowedIn = ({ allow }: TerraformObject): ReadonlySet<string> =>
  new Set(Array.isArray(allow) ? allow.map((name) => `--allow-${String(name)}`) : [])

/** What apply refuses: changes that are blocked, and those that have to be asked for. */
export const refusals = (
  definition: KindDefinition,
  planned: readonly PlannedChange[],
  object: TerraformObject,
): Diagnostic[] =>
  planned.flatMap(({ change }) => {
    const allowed = allowedIn(object)
    const needs = (change.needs ?? []).filter(({ flag }) => !allowed.has(flag))
    const path = change.fields[0]?.path
    const at = path === undefined ? namingAttribute(definition, object) : camelToSnake(path)
    const say = staysBesides(definition, change.address) ? warningAt : errorAt
    return [
      ...(change.action === 'blocked' ? [say(at, change.reason, change.byHand)] : []),
      ...needs.map(neededAt),
    ]
  })

/** One of several that are to go and that no call deletes: the others go all the same. */
const staysBesides = (definition: KindDefinition, address: string): boolean =>
  definition.expand.shows?.once === 'gone' && address !== addressOf(definition)

/** What has to be asked for is asked for in the configuration: there is no flag in this door. */
export const neededAt = ({
  flag,
  because,
}: {
  readonly flag: string
  readonly because: string
}): Diagnostic =>
  errorAt('allow', `DM-GUARD: refused: ${because}`, `If that is what you want: allow = ["${wordOf(flag)}"].`)

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

/** What a creation whose values are known will meet: diagnostics alone, nothing of it is planned. */
export const foreseeCreation = async (
  definition: KindDefinition,
  planned: TerraformObject,
  config: TerraformObject,
  { reads, orgIds }: Configured,
): Promise<Diagnostic[]> => {
  if (!isWhollyKnown(config)) return []
  const declaration = declarationOf([entryOf(definition, planned, secretMarks(definition, config))], orgIds)
  const { plan } = await readAndPlan(reads.reads, {
    definitions: [definition],
    declaration,
    records: {},
    look: 'for-plan',
    byLists: true,
  })
  return [
    ...refusals(definition, plan.planned, planned),
    ...plan.planned.flatMap((each) => warned(definition, planned, each)),
  ]
}

/** What the plan itself cannot show, for the attributes of a creation are not known yet. */
const warned = (
  definition: KindDefinition,
  planned: TerraformObject,
  { change }: PlannedChange,
): Diagnostic[] => {
  if (change.action === 'expired') return [warningAt(undefined, change.reason, 'Nothing is sent.')]
  // What it is called in the configuration: the paths of requests say nothing to a reader of it.
  const key = textOf(change.before?.[definition.identity.key])
  return change.action === 'delete'
    ? [
        warningAt(
          namingAttribute(definition, planned),
          `${definition.title} ${key} will be deleted: ${change.reason}`,
          change.notes?.join('\n'),
        ),
      ]
    : []
}
