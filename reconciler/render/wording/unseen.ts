import type { SaidChange } from '../document/plan-model.ts'
import type { SaidField } from '../document/said.ts'
import { NOT_KNOWN } from './value-pairs.ts'

/** Whether what was there before has never been seen: that is not the same as nothing. */
export const isUnseen = (
  { before, note }: SaidField,
  { action, evidence }: Pick<SaidChange, 'action' | 'evidence'>,
): boolean => before === null && (note !== undefined || (action === 'adopt' && evidence.level === 'unknown'))

/** The fields of a change as they are told: in place of what nobody has seen stands that. */
export const toldFields = (change: Pick<SaidChange, 'action' | 'evidence' | 'fields'>): SaidField[] =>
  change.fields.map((field) => (isUnseen(field, change) ? { ...field, before: NOT_KNOWN } : field))
