import { entryOf, wholesOf } from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { loadDeclaration, type Head, type LoadedDeclaration } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import type { Both, Session } from '../../state/index.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import { addressNamed, shownState } from '../resolve/state.ts'
import { acceptancesLeft } from './acceptances-left.ts'
import { isOnlyTold, sayId, type Meant } from './meant.ts'
import { sayNext } from './next-in-manifests.ts'

/** More records than this are counted. */
const MANY = 20

interface Transferred {
  readonly go: readonly Meant[]
  /** What an earlier command has transferred. */
  readonly wentBefore: readonly Meant[]
  readonly head: Head | undefined
  /** The addresses of both states, as they were given. */
  readonly places: readonly [from: string, to: string]
}

/** Says which records have another state now, and what is left to do in the manifests. */
export const sayTransferred = async (
  io: Io,
  options: CommonOptions,
  { from, to }: Both,
  { go, wentBefore, head, places }: Transferred,
): Promise<string[]> => {
  const records = [...go, ...wentBefore]
  const entries = entriesOf(records)
  const loaded = head && (await loadedIfAny(io, options))
  const declared = loaded?.declaration.entries.map(({ address }) => address)
  const side = sideOf(head, { from, to })
  const isDeclared = ({ address }: Meant): boolean => declared?.some((each) => covers(each, address)) === true
  const isGiven = side === 'from' && declared !== undefined && !records.some(isDeclared)
  const isTaken = side === 'to' && records.every(isDeclared)
  const stays = new Set(Object.keys(from.state.resources).map(entryOf))
  const [parts, wholes] = [
    entries.filter((each) => stays.has(each)),
    entries.filter((each) => !stays.has(each)),
  ]
  const [first, second] = manifestsInWords(io, { from, to })
  const place = shownState(io, to.place)
  const others = side === 'from' ? [to.place, places[1]] : side === 'to' ? [from.place, places[0]] : []
  const isNamed = loaded?.otherStates.some((each) => others.includes(addressNamed(each))) === true
  return [
    ...counted(go, `now in ${place}`),
    ...counted(wentBefore, `in ${place} already`),
    `Nothing was sent. ${sayNext({ parts, wholes, first, second, records, isGiven, isTaken })}`,
    ...(side === 'from' ? await acceptancesLeft(io, head, { records, second }) : []),
    ...(isNamed || !records.some(isOnlyTold) ? [] : [OTHERS]),
  ]
}

const entriesOf = (records: readonly Meant[]): string[] => [
  ...new Set(records.map(({ address }) => entryOf(address))),
]

const counted = (records: readonly Meant[], where: string): string[] => {
  if (records.length <= MANY)
    return records.map(({ address, record }) => `${address} is ${where}.${sayId(record)}`)
  const entries = entriesOf(records)
  return [
    `${number(records.length)} records of ${number(entries.length)} entries are ${where}: ${few(entries)}.`,
  ]
}

/** Whose manifest was given; undefined if that is not clear. */
const sideOf = (head: Pick<Head, 'name'> | undefined, { from, to }: Both): 'from' | 'to' | undefined => {
  if (head === undefined || from.state.name === to.state.name) return undefined
  if (head.name === from.state.name) return 'from'
  return head.name === to.state.name ? 'to' : undefined
}

/** Whether one of two addresses includes the other: an entry of one project has no brackets. */
const covers = (one: string, other: string): boolean =>
  wholesOf(one).includes(other) || wholesOf(other).includes(one)

/** Both manifests in words: by their names, or by their states if both have the same name. */
const manifestsInWords = (io: Io, { from, to }: Both): [string, string] => {
  const isSame = from.state.name === to.state.name
  const named = ({ state: { name }, place }: Session): string =>
    isSame ? `the manifest of ${shownState(io, place)}` : `the manifest ${JSON.stringify(name)}`
  return [named(from), named(to)]
}

const OTHERS =
  'If both manifests use the same key, each has to name the state of the other under `otherStates`: otherwise windows that one creates stop creations in the other.'

/** What the manifest declares; undefined if it cannot be read. */
const loadedIfAny = async (io: Io, options: CommonOptions): Promise<LoadedDeclaration | undefined> => {
  try {
    return await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds)
  } catch (error) {
    if (error instanceof DeploymgmtError) return undefined
    throw error
  }
}
