import type { RecordedResource } from './model.ts'

/** The record without traces of writes with an unknown outcome. */
export const sureOf = (record: RecordedResource): RecordedResource => {
  const { unsure: _, lost: __, ...sure } = record
  return sure
}
