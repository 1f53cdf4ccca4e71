import type { KindDefinition } from '../core/definition.ts'
import { isDifference } from './plan/change.ts'
import type { PlannedChange } from './plan/work.ts'
import { reason, type Reason } from './reason.ts'
import { same } from './values/compare.ts'
import type { Change, Drift, FieldChange, RecordedResource } from './values/model.ts'

/**
 * What is recorded, and declared otherwise by now, is yet to be applied: nobody else has changed it, and it is not as
 * it is declared. What has drifted stays drift.
 */
export const withEdited = (
  drift: Drift,
  definition: KindDefinition,
  record: RecordedResource,
  changes: readonly PlannedChange[],
): Drift =>
  drift.verdict === 'in-sync' || drift.verdict === 'unverifiable'
    ? (editedOf(drift, definition, record, changes) ?? drift)
    : drift

/** What was edited of a thing, whoever has changed the rest of it. What is gone as a whole is not edited. */
export const editedBeside = (
  drift: Drift,
  definition: KindDefinition,
  record: RecordedResource,
  changes: readonly PlannedChange[],
): Drift | undefined => {
  if (drift.verdict !== 'drifted' || drift.fields.length === 0) return undefined
  const edited = editedOf(drift, definition, record, changes)
  if (edited === undefined) return undefined
  const { actor: _, owns: __, ...own } = edited
  return { ...own, fields: edited.fields.filter((field) => isEditedField(field, definition, record)) }
}

const editedOf = (
  drift: Drift,
  definition: KindDefinition,
  record: RecordedResource,
  changes: readonly PlannedChange[],
): Drift | undefined => {
  const edits = changes
    .map(({ change }) => change)
    .filter((change) => isDifference(change) && isEdit(change, drift, definition, record))
  if (edits.length === 0) return undefined
  const { notes: _, ...others } = drift
  return {
    ...others,
    verdict: 'pending',
    reasons: edits.map((edit) => because(edit, drift)),
    fields: edits.flatMap(fieldsOf),
  }
}

/** Where live is as it was last applied, all that a plan would do is the declaration's doing; else what was edited. */
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

/** What an entry says of its removal is no field. Whether a value of unknown outcome was edited is not known. */
const isEditedField = (
  { path, after }: FieldChange,
  { fields }: KindDefinition,
  { applied, unsure = [] }: RecordedResource,
): boolean => {
  const field = fields[path]
  return field === undefined || (!unsure.includes(path) && !same(field, applied[path], after))
}

/** Of a thing that is given up or made anew, the plan has the values. */
const fieldsOf = ({ action, fields }: Change): readonly FieldChange[] =>
  action === 'update' || action === 'blocked' ? fields : []

const because = ({ action, reason: own, address }: Change, { verdict }: Drift): Reason => {
  if (action === 'moved') return reason('declared-as', { address })
  if (action === 'create' || action === 'adopt') return reason('declared-differs')
  // Why a plan writes what has drifted is that it has; what was edited is another matter.
  const isOfDrift = own.code === 'live-differs' || (verdict === 'drifted' && action === 'update')
  return isOfDrift ? reason('declared-differs') : own
}
