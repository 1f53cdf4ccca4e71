import { Overtaken } from './overtaken.ts'
import { done, notAllowed, waits, type WriteResult, type WriteContext } from './send.ts'
import type { PlannedChange, Work } from '../plan/work.ts'
import { moveAside, put, type Effect } from '../values/ledger.ts'
import { create } from './create.ts'
import { write } from './fields.ts'
import { release, remove } from './release.ts'

/** Only changes what is kept, and most often not even that. */
const keep = async (
  address: string,
  work: Extract<Work, { do: 'keep' | 'record' }>,
  ledger: WriteContext['ledger'],
): Promise<void> => {
  const effects = [
    ...moveAside(address, work.aside),
    ...(work.put === undefined ? [] : [put(address, work.put)]),
  ]
  if (effects.length > 0) await ledger.effects(effects)
}

/** A record that is over is dropped to free its address; one that may still go on moves aside. */
const freed = (address: string, aside: string | undefined, { records }: WriteContext['ledger']): Effect[] =>
  records[address] === undefined || aside !== undefined
    ? moveAside(address, aside)
    : [{ op: 'drop', address }]

/**
 * Carries out one change: intent, request, answer, record.
 * @throws RequestError with the outcome that the ledger was told; whatever the ledger throws, and then nothing
 * more may be sent.
 */
export const carryOut = async (planned: PlannedChange, context: WriteContext): Promise<WriteResult> => {
  try {
    return await carryOutWork(planned, context)
  } catch (error) {
    if (error instanceof Overtaken) return notAllowed(error.missing)
    throw error
  }
}

const carryOutWork = async ({ change, work }: PlannedChange, context: WriteContext): Promise<WriteResult> => {
  const { ledger, client } = context
  const { address } = change
  const [first] = change.requests
  // If the answer to a write is lost, its intent has to have the service's time.
  if (first !== undefined && client.skewMs === undefined) await client.learnTime(first.path)
  switch (work.do) {
    case 'keep':
    case 'record':
      await keep(address, work, ledger)
      return done()
    case 'move':
      await ledger.effects([
        ...freed(address, work.aside, ledger),
        { op: 'move', from: work.from, to: address },
        ...(work.put === undefined ? [] : [put(address, work.put)]),
      ])
      return done()
    case 'drop':
      if (ledger.records[address] === undefined) return waits
      await ledger.effects([{ op: 'drop', address }])
      return done(work.notes)
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
