import type { RecordedResource } from './model.ts'

/** A thing that must exist, a thing that must not, or an entry in force, which is no thing at the service. */
export type Sort = 'present' | 'absent' | 'in-force'

/** Records say it with a key for each sort but the first; none has both. */
type Keys = Pick<RecordedResource, 'absent' | 'standing'>

export const sortOf = ({ absent, standing }: Keys): Sort => {
  if (standing === true) return 'in-force'
  return absent === true ? 'absent' : 'present'
}

export const isInForce = (record: Keys): boolean => sortOf(record) === 'in-force'

export const KEYS: Readonly<Record<Sort, Keys>> = {
  present: {},
  absent: { absent: true },
  'in-force': { standing: true },
}
