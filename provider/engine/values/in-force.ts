import type { RecordedResource } from './model.ts'

/** Whether a record belongs to an entry in force, and to no thing at the service; states call that `standing`. */
export const isInForce = ({ standing }: Pick<RecordedResource, 'standing'>): boolean => standing === true
