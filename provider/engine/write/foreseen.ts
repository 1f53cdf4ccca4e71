import type { PlannedChange, Work } from '../plan/work.ts'
import type { Intent } from '../values/ledger.ts'
import { creationOf } from './create.ts'
import { firstFields } from './fields.ts'
import { changeOf } from './patch.ts'
import { removalOf } from './release.ts'
import { intentOf, type Send, type WriteContext } from './send.ts'

/**
 * What will be written down first once a change is carried out, as far as that is known before: a ledger may write it
 * down ahead. None where it depends on the moment, or on what comes before it.
 */
export const foreseen = (
  { work }: PlannedChange,
  { client }: Pick<WriteContext, 'client'>,
): Intent | undefined => {
  // Nobody knows yet what time it is there.
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
