import { leavingOut } from '@deploymgmt/provider/core'
import { sayLeavingOut } from '@deploymgmt/provider/words'
import { kinds } from '@deploymgmt/provider/kinds'
import { entryOf, parseAddress, type Change } from '@deploymgmt/provider/engine'
import { number } from '../text/number.ts'
import { lackingIn, sayWhere, WAYS } from '../render/lacking.ts'
import { few } from '../text/few.ts'
import { changesNothing, type Proving } from './adopt-proof.ts'

type Manifests = Pick<Proving, 'loaded' | 'records'>

/** What entries of several projects stand for, and what is not there as they say: a plan has more than what was found. */
export const otherwiseIn = (changes: readonly Change[], { loaded, records }: Manifests): Change[] => {
  const among = amongIn({ loaded })
  // What no list shows cannot be otherwise than what was found.
  const listed = new Set(kinds.flatMap(({ kind, observe }) => (observe.how === 'everything' ? kind : [])))
  return changes.filter(
    (each) =>
      listed.has(each.kind) &&
      records[each.address] === undefined &&
      !changesNothing(each) &&
      among(each.address) !== undefined,
  )
}

/** What an apply would do beyond what was found, and what leaves a project out of it. */
export const sayOtherwise = (otherwise: readonly Change[], { loaded }: Pick<Proving, 'loaded'>): string[] => {
  if (otherwise.length === 0) return []
  const among = amongIn({ loaded })
  const places = [...new Set(otherwise.flatMap(({ address }) => among(address)?.place ?? []))]
  const done = [...Map.groupBy(otherwise, doneTo)].map(([what, of]) => {
    const is = what === BLOCKED ? `${number(of.length)} ${of.length === 1 ? 'is' : 'are'} blocked` : ''
    return `${is === '' ? `an apply ${what} ${number(of.length)}` : is} (${few(entriesOf(of))})`
  })
  // What many entries have nothing of is said once, whole.
  const lacking = lackingIn(otherwise)
  const isTold = new Set(lacking.flatMap(({ entries }) => entries))
  const whole = lacking.flatMap((each) =>
    each.ways.map((way) => `${WAYS[way.does]} ${sayWhere(each, way)}: ${way.edit}`),
  )
  // What is pasted for one place would undo what was pasted for another one.
  const single = [...Map.groupBy(otherwise, ({ address }) => entryOf(address))].flatMap(([entry, of]) => {
    const own = isTold.has(entry) ? [] : of.flatMap(({ address }) => among(address) ?? [])
    const [first] = own
    if (first === undefined) return []
    return sayLeavingOut(leavingOut(first, [...new Set(own.map(({ place }) => place))]), entry)
  })
  const more = single.length > FEW ? '; and so on' : ''
  const all = [...whole, ...single.slice(0, FEW)]
  return [
    `Entries that were there already say otherwise than what is in ${few(places)}: ${done.join('; ')}.`,
    `Where that is not meant, ${all.join('; ')}${more}; and run adopt again.`,
  ]
}

const entriesOf = (changes: readonly Change[]): string[] => [
  ...new Set(changes.map(({ address }) => entryOf(address))),
]

const FEW = 3
const BLOCKED = 'blocked'

const doneTo = ({ kind, action, before, after }: Change): string => {
  if (action === 'blocked') return BLOCKED
  const isOff = kinds.find((each) => each.kind === kind)?.adoption.isOff
  const [was, is] = [before, after].map((values) => isOff?.(values ?? {}))
  return was === is ? 'changes' : was === true ? 'turns on' : 'turns off'
}

/** What leaves the place of a thing out of its entry, by the address of the thing or of the entry in its place. */
export const amongIn = ({ loaded }: Pick<Proving, 'loaded'>) => {
  const known = new Map(loaded.declaration.entries.map(({ address, among }) => [address, among] as const))
  return (address: string) => {
    const { entry, keys } = parseAddress(address)
    return known.get(`${entry}[${keys[0] ?? ''}]`)
  }
}
