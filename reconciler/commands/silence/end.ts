import type { Records } from '@deploymgmt/provider/engine'
import { sayInstant } from '@deploymgmt/provider/words'
import { AddressError, UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { CommonOptions } from '../line/options.ts'
import { sayProject } from '../resolve/project.ts'
import { reportDone } from '../output/report-done.ts'
import { addressOf, idOf, nameIn, quietOf } from './kind.ts'
import { basisOf, withSilences, type Silencing } from './state.ts'
import { endWindow, forgetOver, settleEarlier, type Ended } from './window.ts'

interface EndOptions extends CommonOptions {
  /** Not named `all`, which is a flag of reports. */
  readonly everything?: boolean
}

const SAID: Readonly<Record<Ended, string>> = {
  ended: 'has ended',
  over: 'had already ended',
  'not-there': 'is no longer recorded',
}

/** Ends silences now: the named ones, the only one, or all. */
export const silenceEnd = async (io: Io, options: EndOptions, ids: readonly string[]): Promise<number> => {
  if (options.everything === true && ids.length > 0) throw new UsageError('give either ids or --everything')
  const basis = await basisOf(io, options)
  const { said, unknown } = await withSilences(io, options, basis, async (silencing) => {
    const { session } = silencing
    await settleEarlier(silencing)
    await forgetOver(silencing)
    const open = openIn(silencing)
    const isOpen = (id: string): boolean => open.has(addressOf(id))
    const named = ids.filter((id) => !isOpen(id))
    const isMeant = ids.length === 0 || named.length > 0
    const ended: string[] = []
    for (const address of isMeant ? meantBy(session.state.resources, named, options) : []) {
      const name = calledIn(session.state.resources, address)
      ended.push(`The window ${name} ${SAID[await endWindow(silencing, address)]}.`)
    }
    const left = [...open].filter(([address]) => ids.length === 0 || ids.includes(nameIn(address)))
    return { said: ended, unknown: left.map(([, text]) => text) }
  })
  const nothing = ['There is no silence to end.']
  const all = [...said, ...unknown]
  await reportDone(io, options, all.length === 0 ? nothing : all)
  return unknown.length === 0 ? 0 : 3
}

/** Creations whose answer was lost, and which no evidence settles: by address, with a description. */
const openIn = ({ session, loaded, client }: Silencing): Map<string, string> => {
  const { projectNames } = loaded.declaration
  const left = session.unknown
    .filter(({ method }) => method === 'POST')
    .map(({ address, detail: { expected } }) => ({ address, ...quietOf(expected) }))
    .filter(({ to }) => Date.parse(to) > client.serviceNow())
  return new Map(
    left.map(({ address, projectId, to }) => [
      address,
      `It is not known whether the window ${nameIn(address)} was opened in ${sayProject(projectId, projectNames)}; there is no evidence. If it was, it ends by itself at ${sayInstant(to)}; to end it earlier, look at the project's maintenance windows.`,
    ]),
  )
}

const calledIn = (records: Records, address: string): string => {
  const record = records[address]
  return (record && idOf(record)) ?? address
}

/** @throws UsageError, AddressError */
const meantBy = (records: Records, ids: readonly string[], { everything = false }: EndOptions): string[] => {
  const all = Object.keys(records)
  if (everything || (ids.length === 0 && all.length < 2)) return all
  const known = all.map((address) => calledIn(records, address))
  if (ids.length === 0)
    throw new UsageError(`there are ${all.length} silences, but no ID was given`, {
      hint: `Name those to end, or give --everything: ${known.join(', ')}.`,
    })
  return ids.map((id) => {
    const found = all.find((address) => calledIn(records, address) === id || address.endsWith(`.${id}`))
    if (found !== undefined) return found
    throw new AddressError(`no silence has the id ${id}`, {
      hint: known.length === 0 ? 'There is none to end.' : `There are: ${known.join(', ')}.`,
    })
  })
}
