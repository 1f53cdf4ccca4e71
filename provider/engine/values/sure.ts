import type { RecordedResource } from './model.ts'

/** A record of which no write of unknown outcome is left. */
export const sureOf = ({ unsure: _, lost: __, ...sure }: RecordedResource): RecordedResource => sure
