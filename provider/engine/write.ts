import { done, aside, put, type Outcome, type WriteContext } from './send.ts'
import type { PlannedChange } from './work.ts'
import { create } from './write-create.ts'
import { write } from './write-fields.ts'
import { release, remove } from './write-release.ts'

/**
 * Carries out one change: intent, request, answer, record.
 * @throws RequestError with the outcome that the ledger was told; GuardError when an answer shows what a
 * flag is needed for; whatever the ledger throws, and then nothing more may be sent.
 */
export const carryOut = async ({ change, work }: PlannedChange, context: WriteContext): Promise<Outcome> => {
  const { ledger } = context
  const { address } = change
  switch (work.do) {
    case 'keep':
      if (work.put !== undefined) await ledger.effects([put(address, work.put)])
      return done()
    case 'adopt':
      await ledger.effects([...aside(address, work.displaced), put(address, work.put)])
      return done()
    case 'move':
      await ledger.effects([{ op: 'move', from: work.from, to: address }])
      return done()
    case 'drop':
      await ledger.effects([{ op: 'drop', address }])
      return done()
    case 'create':
      return create(work, context)
    case 'write':
      return write(work, context)
    case 'delete':
      return remove(work, context)
    case 'release':
      return release(address, work, context)
  }
}
