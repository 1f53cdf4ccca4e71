import type { Io } from '../../io.ts'
import { projectNamesKnown } from '../resolve/address.ts'
import type { CommonOptions } from '../line/options.ts'
import { changeState } from './change.ts'
import { recordAt } from './record-at.ts'
import { refuseWhileUnknown } from './refuse-while-unknown.ts'
import { addressesMeant, creationsLike, isCreatedAgain, sayCreatedAgain, sayId, type Meant } from './meant.ts'

export const stateForget = (io: Io, options: CommonOptions, given: readonly string[]): Promise<number> =>
  changeState(io, options, 'state forget', async (session) => {
    const { resources } = session.state
    const names = await projectNamesKnown(io, options, session.state)
    const meant = addressesMeant(given, session, names)
    refuseWhileUnknown(session, { io, options }, meant)
    const records = meant.map((address) => ({ address, record: recordAt(resources, address) }))
    // A forgotten thing would look like the result of a lost creation.
    refuseWhileUnknown(session, { io, options }, creationsLike(records, session))
    await session.effects(meant.map((address) => ({ op: 'drop', address })))
    const [only, ...others] = records
    if (only !== undefined && others.length === 0)
      return `${sayForgotten(only)} Nothing was sent; the thing itself stays as it is. As long as its entry is declared, the next apply brings ${isCreatedAgain(only) ? 'one under management again, or creates one if the entry does not name an id' : 'it under management again'}, so remove the entry first.`
    return [
      ...records.map(sayForgotten),
      `Nothing was sent; the things themselves stay as they are. As long as their entries are declared, the next apply brings them under management again${sayCreatedAgain(records)}, so remove the entries first.`,
    ]
  })

const sayForgotten = ({ address, record }: Meant): string => `${address} is forgotten.${sayId(record)}`
