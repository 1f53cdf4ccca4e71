import { isReadable, partsOf } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { lacking, reason, type Reason } from '../reason.ts'
import { missingFrom } from '../values/compare.ts'
import type { Actor, Drift, DriftedField, Evidence, FieldChange } from '../values/model.ts'
import { READ } from '../plan/change.ts'
import { answered, unshownOf, type Standing } from '../judge/standing.ts'
import { sortOf } from '../values/sort.ts'
import { writableFields, writableIn } from '../values/wire.ts'
import { whatSelected } from '../judge/what.ts'

/** What a drift report says of a recorded thing, apart from its address. */
export type Judged = Pick<Drift, 'verdict' | 'reasons' | 'fields' | 'evidence' | 'actor'>

/** Compares live with what was last applied, as far as the API shows it. Events count for what it does not show. */
export const verdictOf = (standing: Standing, ignored: readonly string[]): Judged =>
  (isRead(standing, ignored) ? readVerdict : unreadVerdict)(standing, ignored)

/** Whether a reading shows all that was applied, apart from what is left to others, or that nothing is there. */
const isRead = ({ definition, live, record }: Standing, ignored: readonly string[]): boolean =>
  isReadable(definition) && unshownOf(definition, record, live).every((name) => ignored.includes(name))

/** @param left what has changed in fields that are left to others */
const inSync = (evidence: Evidence, left: readonly FieldChange[] = []): Judged => ({
  verdict: 'in-sync',
  reasons: [
    left.length === 0
      ? reason('as-applied')
      : reason('as-applied-but-ignored', { fields: left.map(({ path }) => path) }),
  ],
  fields: [],
  evidence,
})

const drifted = (because: Reason, evidence: Evidence, fields: readonly DriftedField[] = []): Judged => ({
  verdict: 'drifted',
  reasons: [because],
  fields,
  evidence,
})

const readVerdict = (standing: Standing, ignored: readonly string[]): Judged => {
  const { record, live } = standing
  const evidence: Evidence = { ...standing.evidence, level: 'read' }
  const isGone = typeof live === 'string'
  if (sortOf(record) === 'absent') return isGone ? inSync(evidence) : drifted(reason('back-again'), evidence)
  if (isGone) return gone(standing, evidence)
  const fields = standing.changed.filter(({ path }) => !ignored.includes(path))
  if (fields.length === 0) return inSync(evidence, standing.changed)
  return withActor(drifted(reason('not-as-applied'), evidence, fields), standing, fields)
}

/**
 * Adds who has removed the thing, or why nobody can be named if its kind emits no events, and what a person does if
 * no call can restore it.
 */
const gone = (standing: Standing, evidence: Evidence): Judged => {
  const { definition, record, unread } = standing
  const { establish, witness } = definition
  const of = { ...record.identity, what: whatSelected(definition, record.applied) }
  const lacks = isNone(establish.create) ? lacking(establish.create, of) : {}
  const silent = isNone(witness) ? reason('events-not-emitted', { because: witness.none }) : unread
  const found: Evidence = {
    ...evidence,
    ...(unread === undefined ? {} : { eventsUnread: true }),
    ...(silent === undefined ? {} : { notes: [silent] }),
  }
  return withRemover(drifted(reason('gone-at-service', lacks), found), standing)
}

const withRemover = (judged: Judged, { remover }: Standing): Judged => {
  const actor = remover()
  return actor === undefined ? judged : { ...judged, actor }
}

const withActor = (judged: Judged, standing: Standing, fields: readonly FieldChange[]): Judged => {
  const actor = standing.actor(fields.map(({ path }) => path))
  if (actor !== undefined) return { ...judged, actor }
  // Each field may have been changed by another person.
  const actors = fields.length > 1 ? fields.map(({ path }) => standing.actor([path])) : []
  return actors.every((each) => each === undefined)
    ? withUntold(judged, standing)
    : { ...judged, fields: fields.map((field, index) => withOwn(field, actors[index])) }
}

/** Doors have their own words for `nobody-told`. */
const withUntold = (judged: Judged, { untold }: Standing): Judged =>
  untold.code === 'nobody-told' ? judged : { ...judged, evidence: { ...judged.evidence, notes: [untold] } }

const withOwn = (field: FieldChange, actor: Actor | undefined): DriftedField =>
  actor === undefined ? field : { ...field, actor }

const unreadVerdict = (standing: Standing, ignored: readonly string[]): Judged => {
  const { record, parts, evidence, isOver, isNotFound } = standing
  if (parts === 'missing') return gone(standing, READ)
  if (isNotFound && !isOver)
    return withRemover(drifted(reason('not-found', {}), answered(record.notFoundAt)), standing)
  const differing = standing.changed.filter(({ path }) => !ignored.includes(path))
  const suspect =
    isOver && !standing.mayBeProlonged ? undefined : suspectVerdict(standing, ignored, differing)
  if (suspect !== undefined) return suspect
  const because = partDiffers(standing, differing) ?? reason('not-as-applied')
  if (differing.length > 0)
    return drifted(because, hasOverridden(standing, differing) ? evidence : READ, differing)
  if (standing.isShownWhole(ignored)) return inSync(READ, standing.changed)
  const kept = Object.entries(record.leftover ?? {}).filter(([name]) => !ignored.includes(name))
  if (kept.length > 0)
    return drifted(
      reason('kept-after-removal', { fields: kept.map(([name]) => name) }),
      evidence,
      kept.map(([path, after]) => ({ path, before: null, after, note: reason('still-in-answer') })),
    )
  const said = evidence.notes ?? [reason('no-endpoint-shows-it')]
  return {
    verdict: 'unverifiable',
    // Without the events, nobody can tell whether it was prolonged.
    reasons: isOver && evidence.eventsUnread !== true ? [reason('ended-by-itself')] : said,
    fields: [],
    evidence,
  }
}

/** Why only a person can undo it, if no call writes the differing field. */
const partDiffers = (
  { definition, record }: Standing,
  [change, ...others]: readonly FieldChange[],
): Reason | undefined => {
  if (change === undefined || others.length > 0) return undefined
  const { path, before, after } = change
  const [part, field] = [partsOf(definition)[path], definition.fields[path]]
  if (part === undefined || field === undefined) return undefined
  return reason('part-differs', {
    field: path,
    lacking: missingFrom(field, before, after).map(String),
    extra: missingFrom(field, after, before).map(String),
    step: { text: part.byHand, of: record.identity },
  })
}

/** Whether an answer to a write, rather than a reading, has shown some of these changes. */
const hasOverridden = ({ record }: Standing, fields: readonly FieldChange[]): boolean =>
  fields.some(({ path }) => record.overridden?.[path] !== undefined)

/** Drift that only events show: they are about fields that are not ignored and that no endpoint shows. */
const suspectVerdict = (
  standing: Standing,
  ignored: readonly string[],
  differing: readonly FieldChange[],
): Judged | undefined => {
  const { definition, record, evidence, touched } = standing
  if (evidence.events === undefined) return undefined
  const considered = writableFields(definition).filter((name) => !ignored.includes(name))
  if (touched.length > 0 && touched.every((name) => !considered.includes(name))) return undefined
  if (standing.isToldGone) return withRemover(drifted(reason('told-gone'), evidence), standing)
  const fields = writableIn(definition, record.applied)
    .filter((name) => !ignored.includes(name) && touched.includes(name))
    .filter((name) => !differing.some(({ path }) => path === name))
    .map((path): DriftedField => {
      const told = standing.told(path)
      return {
        path,
        // The value that an answer showed instead was only there for a while.
        before: record.overridden?.[path] ?? record.applied[path],
        after: null,
        note: reason('may-have-changed'),
        ...(told === undefined ? {} : { told }),
      }
    })
  const shown = [...fields, ...differing]
  return withActor(drifted(reason('event-since'), evidence, shown), standing, shown)
}
