import type { PlannedChange, Work } from '../plan/work.ts'
import type { Intent } from '../values/ledger.ts'
import { creationOf } from './create.ts'
import { firstFields } from './fields.ts'
import { changeOf } from './patch.ts'
import { removalOf } from './release.ts'
import { intentOf, type Send, type WriteContext } from './send.ts'

/**
 * The first intent of a change, as far as it is known beforehand, so that a ledger can write it ahead. Undefined if
 * it depends on the time of the write, or on what comes before it.
 */
export const foreseen = (
  { work }: PlannedChange,
  { client }: Pick<WriteContext, 'client'>,
): Intent | undefined => {
  // The service's time is not known yet.
  if (client.skewMs === undefined) return undefined
  const send = firstRequest(work, { client })
  return send && intentOf(send, client)
}

const firstRequest = (work: Work, context: Pick<WriteContext, 'client'>): Send | undefined => {
  switch (work.do) {
    case 'create':
      return creationOf(work, context)
    case 'write':
      return changeOf(work, firstFields(work), work.record, context).send
    case 'delete':
      return removalOf(work, context)
    default:
      return undefined
  }
}
