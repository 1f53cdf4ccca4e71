import type { KindDefinition } from '../../core/definition.ts'
import { isDifference } from '../plan/change.ts'
import type { PlannedChange } from '../plan/work.ts'
import { reason, type Reason } from '../reason.ts'
import { same } from '../values/compare.ts'
import type { Change, Drift, FieldChange, RecordedResource } from '../values/model.ts'

interface Edits {
  readonly definition: KindDefinition
  readonly record: RecordedResource
  /** What a plan does at the address under which it is declared. */
  readonly changes: readonly PlannedChange[]
  /** Whether that address means another thing now. */
  readonly isDisplaced: boolean
}

/**
 * What is recorded, and declared otherwise now, is yet to be applied: nobody else has changed it, and it is not as
 * it is declared. What has drifted stays drift.
 */
export const withEdited = (drift: Drift, edits: Edits): Drift =>
  drift.verdict === 'in-sync' || drift.verdict === 'unverifiable' ? (pendingOf(drift, edits) ?? drift) : drift

/** What was edited of a thing, whoever has changed the rest of it. What is gone as a whole is not edited. */
export const editedOf = (drift: Drift, edits: Edits): Drift | undefined => {
  if (drift.verdict !== 'drifted' || drift.fields.length === 0) return undefined
  // Its new name stands in `movedTo`; where nothing else was edited, it is what is pending all the same.
  const others = edits.changes.filter(({ change }) => change.action !== 'moved')
  const edited = pendingOf(drift, { ...edits, changes: others }) ?? pendingOf(drift, edits)
  if (edited === undefined) return undefined
  const { definition, record } = edits
  const { actor: _, owns: __, turnsOff: ___, ...own } = edited
  const fields = edited.fields.filter((field) => isEditedField(field, definition, record))
  return { ...own, fields: fields.map((field) => withoutDoubt(field, record)) }
}

/** What may be there now, and why, is told of its drift: what was edited is what was applied. */
const withoutDoubt = (field: FieldChange, { applied, overridden }: RecordedResource): FieldChange => {
  const { path, after, note } = field
  return note === undefined ? field : { path, before: overridden?.[path] ?? applied[path] ?? null, after }
}

const pendingOf = (drift: Drift, { definition, record, changes, isDisplaced }: Edits): Drift | undefined => {
  const edits = changes
    .map(({ change }) => change)
    .filter((change) => isDifference(change) && (isDisplaced || isEdit(change, drift, definition, record)))
  if (edits.length === 0) return undefined
  const { notes: _, protectedFields: __, ...others } = drift
  return {
    ...others,
    verdict: 'pending',
    reasons: edits.map((edit) => (isDisplaced ? meaning(edit, definition) : because(edit, drift))),
    // Those are of another thing.
    fields: isDisplaced ? [] : edits.flatMap(fieldsOf),
  }
}

/** Which thing an entry means now; why nothing can be done of that, where it is so. */
const meaning = ({ action, reason: own, after }: Change, { identity }: KindDefinition): Reason => {
  const key = after?.[identity.key]
  if (action === 'blocked') return own
  return reason('means-another', typeof key === 'string' ? { key } : {})
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

/** What an entry says of its removal is no field. Whether a value with an unknown outcome was edited is not known. */
const isEditedField = (
  { path, after }: FieldChange,
  { fields }: KindDefinition,
  { applied, unsure = [] }: RecordedResource,
): boolean => {
  const field = fields[path]
  return field === undefined || (!unsure.includes(path) && !same(field, applied[path], after))
}

/** Of a thing that is given up or made again, the plan has the values. */
const fieldsOf = ({ action, fields }: Change): readonly FieldChange[] =>
  action === 'update' || action === 'blocked' ? fields : []

const because = ({ action, reason: own, address }: Change, { verdict }: Drift): Reason => {
  if (action === 'moved') return reason('declared-as', { address })
  if (action === 'create' || action === 'adopt') return reason('declared-differs')
  // Why a plan writes what has drifted is that it has; what was edited is another matter.
  const isOfDrift = own.code === 'live-differs' || (verdict === 'drifted' && action === 'update')
  return isOfDrift ? reason('declared-differs') : own
}
