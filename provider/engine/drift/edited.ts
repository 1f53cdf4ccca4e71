import type { KindDefinition } from '../../core/definition.ts'
import { omit } from '../../core/values.ts'
import { isDifference } from '../plan/change.ts'
import type { PlannedChange } from '../plan/work.ts'
import { reason, type Reason } from '../reason.ts'
import { same } from '../values/compare.ts'
import type { Change, Drift, FieldChange, RecordedResource } from '../values/model.ts'

interface Edits {
  readonly definition: KindDefinition
  readonly record: RecordedResource
  /** What a plan does at the address that declares the thing. */
  readonly changes: readonly PlannedChange[]
  /** Whether that address now means another thing. */
  readonly isReplaced: boolean
}

/**
 * Marks a recorded thing as pending if its declaration was edited: nobody else has changed it, and it is not as
 * declared. What has drifted stays drift.
 */
export const withEdited = (drift: Drift, edits: Edits): Drift =>
  drift.verdict === 'in-sync' || drift.verdict === 'unverifiable' ? (pendingOf(drift, edits) ?? drift) : drift

/**
 * What was edited of a drifted thing, whoever changed the rest of it. A thing that is gone as a whole counts as not
 * edited.
 */
export const editedOf = (drift: Drift, edits: Edits): Drift | undefined => {
  if (drift.verdict !== 'drifted' || drift.fields.length === 0) return undefined
  // The new address is in `movedTo`. If nothing else was edited, the move itself is what is pending.
  const others = edits.changes.filter(({ change }) => change.action !== 'moved')
  const edited = pendingOf(drift, { ...edits, changes: others }) ?? pendingOf(drift, edits)
  if (edited === undefined) return undefined
  const { definition, record } = edits
  const fields = edited.fields.filter((field) => isEditedField(field, definition, record))
  return {
    ...omit(edited, 'actor', 'owns', 'turnsOff'),
    fields: fields.map((field) => withoutDoubt(field, record)),
  }
}

/** The drift tells what may be live now, and why. The edit is a change of what was applied. */
const withoutDoubt = (field: FieldChange, record: RecordedResource): FieldChange => {
  const { path, after, note } = field
  return note === undefined ? field : { path, before: lastApplied(record, path) ?? null, after }
}

/** What we applied, also if an answer has shown what somebody else has made of it since. */
const lastApplied = ({ applied, overridden }: RecordedResource, path: string): unknown =>
  overridden?.[path] ?? applied[path]

const pendingOf = (drift: Drift, { definition, record, changes, isReplaced }: Edits): Drift | undefined => {
  const edits = changes
    .map(({ change }) => change)
    .filter((change) => isDifference(change) && (isReplaced || isEdit(change, drift, definition, record)))
  if (edits.length === 0) return undefined
  return {
    ...omit(drift, 'notes', 'protectedFields'),
    verdict: 'pending',
    reasons: edits.map((edit) => (isReplaced ? meaning(edit, definition) : because(edit, drift))),
    // The fields of these changes belong to another thing.
    fields: isReplaced ? [] : edits.flatMap(fieldsOf),
  }
}

/** Which thing the entry means now, or why the plan can do nothing about it. */
const meaning = ({ action, reason: own, after }: Change, { identity }: KindDefinition): Reason => {
  const key = after?.[identity.key]
  if (action === 'blocked') return own
  return reason('means-another', typeof key === 'string' ? { key } : {})
}

/**
 * If the live values are as last applied, everything that a plan does comes from the declaration. Otherwise only edited fields
 * do.
 */
const isEdit = (
  { action, after, fields }: Change,
  { verdict }: Drift,
  definition: KindDefinition,
  record: RecordedResource,
): boolean =>
  verdict === 'in-sync' ||
  after === null ||
  (action !== 'update' && action !== 'blocked') ||
  fields.some((field) => isEditedField(field, definition, record))

/**
 * A path without a field is a setting of removal, and counts as edited. Whether a field with an unknown outcome was
 * edited is not known.
 */
const isEditedField = (
  { path, after }: FieldChange,
  { fields }: KindDefinition,
  record: RecordedResource,
): boolean => {
  const { unsure = [] } = record
  const field = fields[path]
  return field === undefined || (!unsure.includes(path) && !same(field, lastApplied(record, path), after))
}

/** Edited fields. For a thing that is released or created anew, the plan already shows the values. */
const fieldsOf = ({ action, fields }: Change): readonly FieldChange[] =>
  action === 'update' || action === 'blocked' ? fields : []

const because = ({ action, reason: own, address }: Change, { verdict }: Drift): Reason => {
  if (action === 'moved') return reason('declared-as', { address })
  if (action === 'create' || action === 'adopt') return reason('declared-differs')
  // The plan's reason may be the drift, which does not explain the edit.
  const isOfDrift = own.code === 'live-differs' || (verdict === 'drifted' && action === 'update')
  return isOfDrift ? reason('declared-differs') : own
}
