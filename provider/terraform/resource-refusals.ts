import { camelToSnake, fillPath, isNone, type KindDefinition } from '../core/index.ts'
import { NO_SUCH_PLACE, placeKey, readAndPlan, type PlannedChange, type Run } from '../engine/index.ts'
import { ForbiddenError, NotFoundError } from '../errors/index.ts'
import { wordOf } from './allowable.ts'
import type { CoalescedReads } from './coalesce.ts'
import type { Configured } from './configured.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import { declarationOf, entryOf, identityIn, secretMarks } from './resource-entry.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { isWhollyKnown, type TerraformObject } from './wire/value.ts'

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
    return [
      ...(change.action === 'blocked' ? [errorAt(at, change.reason, change.byHand)] : []),
      ...needs.map(neededAt),
    ]
  })

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

/** The attribute that says where it is: its project, or its organization. */
export const placeAttribute = ({ identity }: KindDefinition): string | undefined =>
  identity.scope.map(camelToSnake)[0]

/** A place that is not there, where nothing else would read it before the creation is sent. */
const nowhere = async (
  definition: KindDefinition,
  planned: TerraformObject,
  { reads }: CoalescedReads,
): Promise<Diagnostic[]> => {
  const { lifetime, establish } = definition
  if (isNone(lifetime) || isNone(establish.create)) return []
  const place = identityIn(definition, planned)
  const path = fillPath(lifetime.timeFrom.path, place)
  return reads.list(path, { itemsPerPage: 1 }, { maxPages: 1 }).then(
    () => [],
    (error: unknown) => {
      if (error instanceof ForbiddenError) return []
      if (!(error instanceof NotFoundError)) throw error
      const what = `${NO_SUCH_PLACE}: ${Object.values(place).join(', ')}`
      return [errorAt(placeAttribute(definition), what, 'Check the id.')]
    },
  )
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
  const lost = await nowhere(definition, planned, reads)
  if (lost.length > 0) return lost
  const run = await readAndPlan(reads.reads, {
    definitions: [definition],
    declaration,
    records: {},
    look: 'for-plan',
    byLists: true,
  })
  return [...refusals(definition, run, planned), ...run.plan.planned.flatMap(warned)]
}

/** What the plan itself cannot show, for the attributes of a creation are not known yet. */
const warned = ({ change }: PlannedChange): Diagnostic[] => {
  if (change.action === 'expired') return [warningAt(undefined, change.reason, 'Nothing is sent.')]
  const [request] = change.requests
  return change.action === 'delete' && request !== undefined
    ? [warningAt(undefined, `${request.path} will be deleted: ${change.reason}`, change.notes?.join('\n'))]
    : []
}
