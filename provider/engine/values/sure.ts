import type { RecordedResource } from './model.ts'

/** A record of which no write with an unknown outcome is left. */
export const sureOf = (record: RecordedResource): RecordedResource => {
  const { unsure: _, lost: __, ...sure } = record
  return sure
}
