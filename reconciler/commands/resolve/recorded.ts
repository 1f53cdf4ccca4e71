import type { Declaration, Records } from '@deploymgmt/provider/engine'

/** What references can use of recorded things. */
export const recordedIn =
  (records: Records) =>
  (address: string): Record<string, unknown> | undefined => {
    const record = records[address]
    return record === undefined ? undefined : { ...record.answer, ...record.identity }
  }

/** All addresses that an argument can mean: declared and recorded ones. */
export const addressesKnown = ({ entries }: Pick<Declaration, 'entries'>, records: Records): string[] => [
  ...entries.map(({ address }) => address),
  ...Object.keys(records),
]
