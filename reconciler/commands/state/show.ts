import { belongsToOne } from '@deploymgmt/provider/engine'
import type { Io } from '../../io.ts'
import type { CommonOptions } from '../line/options.ts'
import { projectNamesKnown, resolveRecordAddress } from '../resolve/address.ts'
import { reporter } from '../output/report.ts'
import { recordAt } from './record-at.ts'
import { refuseWhileUnknown } from './refuse-while-unknown.ts'
import { readShown } from './shown.ts'

export const stateShow = async (io: Io, options: CommonOptions, given: string): Promise<number> => {
  const report = await reporter(io, options, 'record')
  const session = await readShown(io, options)
  const { resources } = session.state
  const names = await projectNamesKnown(io, options, session.state)
  const address = resolveRecordAddress(given, { records: resources, names })
  const isOfEntry = belongsToOne([address])
  // A request that is just being sent has no record yet, and needs no decision.
  if (!Object.hasOwn(resources, address) && session.busy === undefined)
    refuseWhileUnknown(session, { io, options }, [address])
  const instances = Object.entries(resources)
    .filter(([each]) => each !== address && isOfEntry(each))
    .map(([each, record]) => ({ address: each, ...record }))
  const own = instances.length === 0 ? recordAt(resources, address) : resources[address]
  const others = instances.length === 0 ? {} : { instances }
  // What the manifest says comes last, and counts.
  await report({ document: { address, ...own, ...others } }, { names: new Map(names) })
  return 0
}
