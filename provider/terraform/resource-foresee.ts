import { fillPath, isNone, textOf, type KindDefinition } from '../core/index.ts'
import { readAndPlan, reason, type PlannedChange, type Run } from '../engine/index.ts'
import { ForbiddenError, NotFoundError } from '../errors/index.ts'
import type { CoalescedReads } from './coalesce.ts'
import type { Configured } from './configured.ts'
import { errorAt, warningAt } from './diagnostics.ts'
import { runInput, type ResourceChange } from './resource-apply.ts'
import { identityIn } from './resource-entry.ts'
import { namingAttribute, placeAttribute, refusals } from './resource-refusals.ts'
import { Severity, type Diagnostic } from './wire/common-messages.ts'
import type { TerraformObject } from './wire/value.ts'
import { words } from './words.ts'

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
      const missing = reason('place-missing', { place })
      return [errorAt(placeAttribute(definition), words.says(missing), words.step(missing))]
    },
  )
}

/** What a creation whose values are known will meet: diagnostics alone, nothing of it is planned. */
export const foreseeCreation = async (
  definition: KindDefinition,
  change: ForeseenChange,
  configured: Configured,
): Promise<Diagnostic[]> => {
  const { planned } = change
  const lost = await nowhere(definition, planned, configured.reads)
  if (lost.length > 0) return lost
  const run = await lookAhead(definition, { ...change, prior: null, kept: { records: {} } }, configured)
  return [
    ...refusals(definition, run, planned),
    ...run.plan.planned.flatMap(expired),
    ...run.plan.planned.flatMap((each) => deleted(definition, change.planned, each)),
  ]
}

/** What a change will meet, as warnings: an error would stop the whole workspace, and the apply decides. */
export const foreseeUpdate = async (
  definition: KindDefinition,
  change: ForeseenChange & ResourceChange,
  configured: Configured,
): Promise<Diagnostic[]> => {
  const run = await lookAhead(definition, change, configured)
  const refused = refusals(definition, run, change.planned)
  return [
    ...refused.map((diagnostic) => ({ ...diagnostic, severity: Severity.warning })),
    ...run.plan.planned.flatMap((each) => deleted(definition, change.planned, each)),
  ]
}

interface ForeseenChange {
  readonly planned: TerraformObject
  readonly config: TerraformObject
}

const lookAhead = (
  definition: KindDefinition,
  change: ForeseenChange & ResourceChange,
  configured: Configured,
): Promise<Run> =>
  readAndPlan(configured.reads.reads, { ...runInput(definition, change, configured), byLists: true })

/** What the plan itself cannot show, for the attributes of a creation are not known yet. */
const expired = ({ change }: PlannedChange): Diagnostic[] =>
  change.action === 'expired' ? [warningAt(undefined, words.says(change.reason), 'Nothing is sent.')] : []

const deleted = (
  definition: KindDefinition,
  planned: TerraformObject,
  { change }: PlannedChange,
): Diagnostic[] => {
  // What it is called in the configuration: the paths of requests say nothing to a reader of it.
  const key = textOf(change.before?.[definition.identity.key])
  return change.action === 'delete'
    ? [
        warningAt(
          namingAttribute(definition, planned),
          `${definition.title} ${key} will be deleted: ${words.says(change.reason)}`,
          change.notes?.map(words.says).join('\n'),
        ),
      ]
    : []
}
