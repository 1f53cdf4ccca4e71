import { fillPath, isNone, isReadable, type KindDefinition } from '../../core/index.ts'
import { readAndPlan, reason, type PlannedChange, type Reason, type Run } from '../../engine/index.ts'
import { ForbiddenError, NotFoundError } from '../../errors/index.ts'
import { isKnown, type Plain } from '../codec/plain.ts'
import type { Configured } from '../connection/connection.ts'
import type { SaidOnce } from '../connection/said-once.ts'
import { noted } from '../words/applies.ts'
import { nothingSent, willBeDeleted, willBeReleased, willBeWritten, worded } from '../words/plans.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import type { SharedReads } from '../connection/shared-reads.ts'
import { runInput, type ResourceChange } from './change.ts'
import { identityIn, isJustApplied } from './entry.ts'
import { membersFound, membersOf } from './members.ts'
import { expiredKey, notedKey } from './carry-out.ts'
import { refusedAsClaimed, refusedAsStillClaimed } from './claimed.ts'
import { changedBefore } from './outside.ts'
import { blockedKey } from './read.ts'
import {
  namingAttribute,
  neededToDestroy,
  notAllowed,
  placeAttribute,
  refusals,
  takenFromCaller,
} from './refusals.ts'

/**
 * What would block an apply, as far as reading tells: said at plan time, and decided again at apply. Returns only
 * diagnostics, and plans nothing.
 */
export const previewResource = async (
  definition: KindDefinition,
  change: ResourceChange & { readonly isReplaced: boolean },
  configured: Configured,
): Promise<Diagnostic[]> => {
  const { prior, planned, config, isReplaced } = change
  if (planned === null) return previewDestroy(definition, change, configured)
  if (config === null || config.unknown.size > 0) return []
  const previewed = { ...change, planned, config }
  if (prior === null) return previewCreation(definition, previewed, configured)
  if (isReplaced) return previewReplacement(definition, previewed, prior, configured)
  // The evidence is unknown in every plan that changes something; other plans need no preview.
  return planned.unknown.has('evidence')
    ? previewUpdate(definition, previewed, configured)
    : refusedAsClaimed(definition, previewed, configured)
}

type PreviewedChange = ResourceChange & { readonly planned: Plain; readonly config: Plain }

/** What has to be asked for, before the rest of a workspace is destroyed. */
const previewDestroy = async (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<Diagnostic[]> => {
  const { prior } = change
  if (prior === null || isJustApplied(definition, prior, configured)) return []
  const claimed = refusedAsStillClaimed(definition, change, configured)
  return claimed.length > 0 ? claimed : lossesOf(definition, change, prior, configured)
}

/** What a destroy takes away that has to be allowed, or that may stand all the same. */
const lossesOf = async (
  definition: KindDefinition,
  change: ResourceChange,
  prior: Plain,
  configured: Configured,
): Promise<Diagnostic[]> => {
  if (definition.guards.length === 0) return []
  const { plan } = await lookAhead(definition, { ...change, planned: null }, configured)
  const refused = plan.planned.flatMap((each) => notAllowed(each.change, prior)).map(neededToDestroy)
  return [
    ...refused,
    ...plan.planned.flatMap((each) => perhapsInvited(definition, prior, each, configured.saidOnce)),
  ]
}

/** Terraform plans the new thing once more, as a creation, which does not tell what the old one was. */
const previewReplacement = async (
  definition: KindDefinition,
  change: PreviewedChange,
  prior: Plain,
  configured: Configured,
): Promise<Diagnostic[]> => {
  const { planned } = change
  const isSelector = membersOf(definition, planned) !== undefined
  const found = isSelector
    ? membersFound(definition, planned, await lookAhead(definition, asNew(change), configured))
    : undefined
  return [
    ...refusedAsClaimed(definition, change, configured, found),
    ...(await lossesOf(definition, change, prior, configured)),
  ]
}

const asNew = (change: PreviewedChange): PreviewedChange => ({
  ...change,
  prior: null,
  kept: { is: 'remembered', records: {} },
})

const previewCreation = async (
  definition: KindDefinition,
  change: PreviewedChange,
  configured: Configured,
): Promise<Diagnostic[]> => {
  const { planned } = change
  const isNews = newsOfPlaces(configured.saidOnce)
  const lost = await withoutPlace(definition, planned, configured.reads)
  if (lost !== undefined) return isNews(lost) ? [errorAt(placeAttribute(definition), worded(lost))] : []
  const run = await lookAhead(definition, asNew(change), configured)
  const news = run.plan.planned.filter(({ change: { reason: because } }) => isNews(because))
  return [
    ...refusals(definition, { ...run, plan: { ...run.plan, planned: news } }, planned),
    ...announced(definition, change, run, configured),
  ]
}

/** What a change will meet: errors if the apply will certainly refuse it, and warnings if it decides then. */
const previewUpdate = async (
  definition: KindDefinition,
  change: PreviewedChange,
  configured: Configured,
): Promise<Diagnostic[]> => {
  const { prior, planned } = change
  const run = await lookAhead(definition, change, configured)
  const isSure = (blocked: PlannedChange['change']): boolean => isSeen(definition, prior, blocked)
  // The read before this plan has warned of it.
  const isSaid = (each: PlannedChange['change']): boolean =>
    !isSure(each) && configured.saidOnce.has(blockedKey(definition, prior?.values ?? {}, each))
  const unsaid = run.plan.planned.filter(({ change: each }) => !isSaid(each))
  return [
    ...refusals(definition, { ...run, plan: { ...run.plan, planned: unsaid } }, planned, { isSure }),
    ...changedBefore(definition, change, run, configured),
    ...announced(definition, change, run, configured),
  ]
}

/** What the plan of Terraform does not show, and what contradicts another resource. */
const announced = (
  definition: KindDefinition,
  change: PreviewedChange,
  run: Run,
  configured: Configured,
): Diagnostic[] => {
  const { planned } = change
  const changes = run.plan.planned
  return [
    ...changes.flatMap((each) => warnOfExpired(definition, planned, each, configured.saidOnce)),
    ...changes.flatMap((each) => deleted(definition, planned, each)),
    ...changes.flatMap((each) => takenFromCaller(each, planned)),
    ...changes.flatMap((each) => perhapsInvited(definition, planned, each, configured.saidOnce)),
    ...selected(definition, planned, run),
    ...refusedAsClaimed(definition, change, configured, membersFound(definition, planned, run)),
  ]
}

/** Whether a read shows what blocks it. A missing thing is a change, and blocks nothing else in the workspace. */
const isSeen = (definition: KindDefinition, prior: Plain | null, blocked: PlannedChange['change']): boolean =>
  isReadable(definition)
    ? prior?.values['present'] !== false
    : blocked.fields.some(({ path }) => definition.fields[path]?.change === 'elsewhere')

/** The plan of a change, from what is read now. */
export const lookAhead = (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<Run> =>
  readAndPlan(configured.reads.shared, {
    ...runInput(definition, change, configured),
    lists: configured.reads.lists,
    allParts: true,
  })

/** Whether a plan has not said yet that a place does not exist: one error for each thing in it says no more. */
const newsOfPlaces =
  (saidOnce: SaidOnce) =>
  (because: Reason): boolean =>
    because.code !== 'place-missing' || saidOnce.isFirst(['place-missing', Object.values(because.place)])

/** Why nothing can be created, if the place does not exist and a creation reads nothing else there. */
const withoutPlace = async (
  definition: KindDefinition,
  { values }: Plain,
  { shared }: SharedReads,
): Promise<Reason | undefined> => {
  const { create } = definition.establish
  if (isNone(create) || create.place === undefined) return undefined
  const place = identityIn(definition, values)
  const path = fillPath(create.place.path, place)
  return shared.list(path, { itemsPerPage: 1 }, { maxPages: 1 }).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ForbiddenError) return undefined
      if (!(error instanceof NotFoundError)) throw error
      return reason('place-missing', { place })
    },
  )
}

/** Warns of what looks like a change in the plan, and sends nothing. */
const warnOfExpired = (
  definition: KindDefinition,
  planned: Plain,
  { change }: PlannedChange,
  saidOnce: SaidOnce,
): Diagnostic[] => {
  if (change.action !== 'expired') return []
  saidOnce.add(expiredKey(definition, planned, change))
  return [warningAt(undefined, nothingSent(definition, planned.values, change.reason))]
}

/** The things of a new or edited selector are not in the plan, so warnings say what will be written. */
const selected = (definition: KindDefinition, planned: Plain, { plan }: Run): Diagnostic[] => {
  const members = membersOf(definition, planned)
  if (members === undefined || members.are === 'deleted' || isKnown(planned, members.map)) return []
  const changes = plan.planned.map(({ change }) => change).filter(({ fields }) => fields.length > 0)
  const released = changes.filter(({ action }) => action === 'release')
  const written = changes.filter(({ action }) => action !== 'release')
  return [
    ...(written.length === 0 ? [] : [warningAt(members.by, willBeWritten(definition, written))]),
    ...(released.length === 0 ? [] : [warningAt(members.by, willBeReleased(definition, released))]),
  ]
}

const deleted = (definition: KindDefinition, planned: Plain, { change }: PlannedChange): Diagnostic[] =>
  // What is refused is not deleted.
  change.action === 'delete' && notAllowed(change, planned).length === 0
    ? [
        warningAt(
          namingAttribute(definition, planned),
          willBeDeleted(definition, planned.values, change.before, change),
        ),
      ]
    : []

/** Whoever agrees to take something away has to know that an invitation to it may stand. */
const perhapsInvited = (
  definition: KindDefinition,
  object: Plain,
  { change: { notes = [] } }: PlannedChange,
  saidOnce: SaidOnce,
): Diagnostic[] => {
  const invitations = notes.filter(({ code }) => code === 'perhaps-still-invited')
  for (const note of invitations) saidOnce.add(notedKey(definition, object, note))
  return invitations.map((note) => warningAt(undefined, noted(definition, object, note)))
}
