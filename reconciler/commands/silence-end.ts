import type { Records } from '@deploymgmt/provider/engine'
import { AddressError, UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { CommonOptions } from './options.ts'
import { idOf } from './silence-kind.ts'
import { basisOf, withSilences } from './silence-state.ts'
import { endWindow, forgetOver, settleEarlier, type Ended } from './silence-window.ts'
import { told } from './state-change.ts'

interface EndOptions extends CommonOptions {
  /** Not `all`, which is a flag of reports. */
  readonly everything?: boolean
}

const SAID: Readonly<Record<Ended, string>> = {
  ended: 'has ended',
  over: 'had ended before',
  'not-there': 'is not recorded any more',
}

/** Ends silences now: those that are named, the only one, or all of them. */
export const silenceEnd = async (io: Io, options: EndOptions, ids: readonly string[]): Promise<number> => {
  const basis = await basisOf(io, options)
  const done = await withSilences(io, options, basis, async (silencing) => {
    const { session } = silencing
    await settleEarlier(silencing)
    await forgetOver(silencing)
    const addresses = meantBy(session.state.resources, ids, options)
    const said: string[] = []
    for (const address of addresses) {
      const name = calledIn(session.state.resources, address)
      said.push(`The window ${name} ${SAID[await endWindow(silencing, address)]}.`)
    }
    return said.length === 0 ? 'There is no silence that could be ended.' : said
  })
  await told(io, options, done)
  return 0
}

const calledIn = (records: Records, address: string): string => {
  const record = records[address]
  return (record && idOf(record)) ?? address
}

/** @throws UsageError, AddressError */
const meantBy = (records: Records, ids: readonly string[], { everything = false }: EndOptions): string[] => {
  const all = Object.keys(records)
  if (everything && ids.length > 0) throw new UsageError('give either ids or --everything')
  if (everything || (ids.length === 0 && all.length < 2)) return all
  const known = all.map((address) => calledIn(records, address))
  if (ids.length === 0)
    throw new UsageError(`there are ${all.length} silences, and no ID is given`, {
      hint: `Name those that are to end, or give --everything: ${known.join(', ')}.`,
    })
  return ids.map((id) => {
    const found = all.find((address) => calledIn(records, address) === id || address.endsWith(`.${id}`))
    if (found !== undefined) return found
    throw new AddressError(`no silence has the id ${id}`, {
      hint: known.length === 0 ? 'There is none that could be ended.' : `There are: ${known.join(', ')}.`,
    })
  })
}
