import type { Records } from '@deploymgmt/provider/engine'

/** What references can use of recorded things. */
export const recordedIn =
  (records: Records) =>
  (address: string): Record<string, unknown> | undefined => {
    const record = records[address]
    return record === undefined ? undefined : { ...record.answer, ...record.identity }
  }
