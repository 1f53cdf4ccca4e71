import { entryOf } from '@deploymgmt/provider/engine'
import type { Head } from '../../config/index.ts'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Io } from '../../io.ts'
import type { Both, Session } from '../../state/index.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import type { CommonOptions } from '../line/options.ts'
import { shownState } from '../resolve/state.ts'
import { isCreatedAgain, sayId, type Meant } from './meant.ts'
import { addressesDeclared } from './move.ts'

/** More records than this are counted. */
const MANY = 20

interface Transferred {
  readonly records: readonly Meant[]
  readonly head: Pick<Head, 'name'> | undefined
}

/** Says which records have another state now, and what is left to do in the manifests. */
export const sayTransferred = async (
  io: Io,
  options: CommonOptions,
  { from, to }: Both,
  { records, head }: Transferred,
): Promise<string[]> => {
  const place = shownState(io, to.place)
  const entries = [...new Set(records.map(({ address }) => entryOf(address)))]
  const lines =
    records.length > MANY
      ? [
          `${number(records.length)} records of ${number(entries.length)} entries are now in ${place}: ${few(entries)}.`,
        ]
      : records.map(({ address, record }) => `${address} is now in ${place}.${sayId(record)}`)
  const declared = head && (await entriesDeclared(io, options))
  const owns = (one: Session, other: Session): boolean =>
    head?.name === one.state.name && head.name !== other.state.name
  const isGiven = owns(from, to) && declared !== undefined && !entries.some((each) => declared.has(each))
  const isTaken = owns(to, from) && entries.every((each) => declared?.has(each) === true)
  const [first, second] = manifestsOf(io, { from, to })
  return [
    ...lines,
    `Nothing was sent. ${sayNext({ entries, first, second, records, isGiven, isTaken })}`,
    OTHERS,
  ]
}

/** Both manifests in words: by their names, or by their states if both have the same name. */
const manifestsOf = (io: Io, { from, to }: Both): [string, string] => {
  const isSame = from.state.name === to.state.name
  const named = ({ state: { name }, place }: Session): string =>
    isSame ? `the manifest of ${shownState(io, place)}` : `the manifest ${JSON.stringify(name)}`
  return [named(from), named(to)]
}

const OTHERS =
  'If both manifests use the same key, each has to name the state of the other under `otherStates`: otherwise windows that one creates stop creations in the other.'

/** The entries that the manifest declares; undefined if it cannot be read. */
const entriesDeclared = async (io: Io, options: CommonOptions): Promise<ReadonlySet<string> | undefined> => {
  try {
    return new Set((await addressesDeclared(io, options)).map(entryOf))
  } catch (error) {
    if (error instanceof DeploymgmtError) return undefined
    throw error
  }
}

interface Next extends Pick<Transferred, 'records'> {
  /** The names of what goes. */
  readonly entries: readonly string[]
  /** The manifests, in words. */
  readonly first: string
  readonly second: string
  /** Whether the first manifest certainly no longer declares them. */
  readonly isGiven: boolean
  /** Whether the second manifest certainly declares them. */
  readonly isTaken: boolean
}

const sayNext = ({ entries, first, second, records, isGiven, isTaken }: Next): string => {
  const [their, them, names] =
    entries.length === 1 ? ['the entry', 'it', 'name'] : ['the entries', 'them', 'names']
  const todo = [
    ...(isGiven ? [] : [`take ${their} out of ${first}`]),
    ...(isTaken ? [] : [`declare ${isGiven ? their : them} under the same ${names} in ${second}`]),
    'run deploymgmt plan with both, which then have nothing to do',
  ]
  const again = records.some(isCreatedAgain) ? ', or creates what no id names in its entry' : ''
  const dangers = [
    ...(isGiven ? [] : [`an apply of ${first} brings ${them} under management again${again}`]),
    ...(isTaken ? [] : [`an apply of ${second} releases ${them}`]),
  ]
  const until = dangers.length === 0 ? '' : ` Until then, ${dangers.join(', and ')}.`
  return `Next: ${sequence(todo)}.${until}`
}

const sequence = (steps: readonly string[]): string =>
  steps.length === 1 ? steps.join('') : `${steps.slice(0, -1).join(', ')}, and ${steps.at(-1)}`
