import type { ReportedChange } from '../document/plan-model.ts'
import type { ReportedField } from '../document/reported.ts'
import { NOT_KNOWN } from './value-pairs.ts'

/** Whether the value before was never read, which is not the same as none. A note tells that to `sideOf`. */
export const isUnseen = (
  { before, note }: ReportedField,
  { action, evidence }: Pick<ReportedChange, 'action' | 'evidence'>,
): boolean => before === null && note === undefined && action === 'adopt' && evidence.level === 'unknown'

/** The fields of a change for display; values that were never read are marked. */
export const toldFields = (change: Pick<ReportedChange, 'action' | 'evidence' | 'fields'>): ReportedField[] =>
  change.fields.map((field) => (isUnseen(field, change) ? { ...field, before: NOT_KNOWN } : field))
