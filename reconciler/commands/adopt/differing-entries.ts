import { resolve } from 'node:path'
import { definitionOf, isReadable, leavingOut } from '@deploymgmt/provider/core'
import { sayLeavingOut } from '@deploymgmt/provider/words'
import { kinds } from '@deploymgmt/provider/kinds'
import { entryOf, parseAddress, sectionOf, writableFields, type Change } from '@deploymgmt/provider/engine'
import { number } from '../../text/number.ts'
import { lackingIn, sayWay } from '../../render/document/lacking.ts'
import { few } from '../../text/few.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import { ownEntryOf } from '../drift/own-entry.ts'
import { changesNothing, type Proving } from './proof.ts'

type Manifests = Pick<Proving, 'io' | 'loaded' | 'records'>

/** Of an entry with more differing things, none is written out. */
const FEW = 3
/** More ways are not listed. */
const MOST = 10
const BLOCKED = 'blocked'

/**
 * Changes that a plan would make beyond the found things, because existing entries do not match them.
 * @param earlier absolute paths of adopted files; their selectors that stand for one thing are reported as well
 */
export const differingIn = (
  changes: readonly Change[],
  { io, loaded, records }: Manifests,
  earlier: readonly string[],
): Change[] => {
  const among = amongIn({ loaded })
  // Things that no list shows cannot differ from what was found.
  const listed = new Set(kinds.filter(isReadable).map(({ kind }) => kind))
  // An edit by a person is intended: an unrecorded change counts only if another instance of its entry matches.
  const calm = new Set(changes.filter(changesNothing).map(({ address }) => entryOf(address)))
  const isMet = ({ address, action }: Change): boolean =>
    parseAddress(address).keys.length > 0 &&
    ![BLOCKED, 'moved'].includes(action) &&
    calm.has(entryOf(address))
  // An entry for one thing has no other instance that could match.
  const single = singleIn(changes, { io, loaded }, earlier)
  return changes.filter(
    (each) =>
      listed.has(each.kind) &&
      records[each.address] === undefined &&
      !changesNothing(each) &&
      (among(each.address) !== undefined || isMet(each) || single.has(each)),
  )
}

/** Selectors in adopted files that match a single thing, or none. */
const singleIn = (
  changes: readonly Change[],
  { io, loaded }: Pick<Manifests, 'io' | 'loaded'>,
  earlier: readonly string[],
): ReadonlySet<Change> => {
  const paths = new Set(earlier)
  const selectors = new Set(
    loaded.declaration.entries.flatMap(({ kind, address, values, declaredAt }) =>
      declaredAt !== undefined &&
      paths.has(resolve(io.cwd, declaredAt.file)) &&
      values[definitionOf(kinds, kind)?.expand.members?.by ?? ''] !== undefined
        ? entryOf(address)
        : [],
    ),
  )
  const byEntry = Map.groupBy(changes, ({ address }) => entryOf(address))
  return new Set(
    [...byEntry].flatMap(([entry, of]) =>
      of.length === 1 && selectors.has(entry) ? of.filter(({ action }) => action !== 'moved') : [],
    ),
  )
}

/** What an apply would do beyond the found things, and how to prevent it. */
export const sayDiffering = (differing: readonly Change[], { loaded }: Pick<Proving, 'loaded'>): string[] => {
  if (differing.length === 0) return []
  const context = { declaration: loaded.declaration, among: amongIn({ loaded }) }
  const done = [...Map.groupBy(differing, doneTo)].map(([what, of]) => {
    const count = number(of.length)
    const says =
      what === BLOCKED ? `${count} ${of.length === 1 ? 'is' : 'are'} blocked` : `an apply ${what} ${count}`
    return `${says} (${few(entriesOf(of))})`
  })
  const places = [...new Set(differing.flatMap((each) => projectOf(each, context)))]
  const ways = waysOut(differing, context)
  return [
    `Entries that were already there differ from what is in ${few(places)}: ${done.join('; ')}.`,
    ...(ways.length === 0 ? [] : ['If that is not what you want, do this and run adopt again:']),
    ...ways.map((way) => `  ${way}`),
  ]
}

interface Context {
  readonly declaration: LoadedDeclaration['declaration']
  readonly among: ReturnType<typeof amongIn>
}

/** Each of these ways suffices for the things that it names. */
const waysOut = (differing: readonly Change[], { declaration, among }: Context): string[] => {
  const taken = new Set(declaration.entries.map(({ address }) => address))
  // What many entries lack is said once for all of them.
  const lacking = lackingIn(differing)
  const isTold = new Set(lacking.flatMap(({ entries }) => entries))
  const whole = lacking.flatMap((each) => each.ways.map((way) => sayWay(each, way)))
  const single = [...Map.groupBy(differing, ({ address }) => entryOf(address))].flatMap(([entry, of]) => {
    if (isTold.has(entry)) return []
    // Excluding the project would release everything else that the entry declares there.
    const byId = of.length > FEW ? [] : of.map((each) => byItself(each, declaration, taken))
    if (byId.length > 0 && byId.every((each) => each !== undefined))
      return byId.map((each) => `declare it by itself, under ${sectionOf(entry)}: ${each}`)
    const left = leavingOut(of.flatMap(({ address }) => among(address) ?? []))
    return left === undefined ? [] : sayLeavingOut(left, entry)
  })
  const more = single.length > MOST ? [`and ${number(single.length - MOST)} more such`] : []
  return [...whole, ...single.slice(0, MOST), ...more]
}

/** The entry that declares one thing of a selector as it is. */
const byItself = (
  { address, kind, before, after, action }: Change,
  declaration: Context['declaration'],
  taken: Set<string>,
): string | undefined => {
  const definition = definitionOf(kinds, kind)
  if (definition === undefined || action === BLOCKED || before === null) return undefined
  const { scope, key, declaredAs } = definition.identity
  const place = Object.fromEntries(scope.map((name) => [name, namedIn(declaration, after?.[name])]))
  const written = Object.fromEntries(writableFields(definition).map((name) => [name, before[name]]))
  const values = { ...written, ...place, [declaredAs]: after?.[key] }
  const own = ownEntryOf(address, definition, { values, taken })
  if (own !== undefined) taken.add(own.address)
  return own?.text
}

/** A project by its name. */
const namedIn = ({ projectNames }: LoadedDeclaration['declaration'], id: unknown): unknown =>
  typeof id === 'string' ? (projectNames.get(id) ?? id) : id

const entriesOf = (changes: readonly Change[]): string[] => [
  ...new Set(changes.map(({ address }) => entryOf(address))),
]

const doneTo = ({ kind, action, before, after }: Change): string => {
  if (action === BLOCKED) return BLOCKED
  const isOff = definitionOf(kinds, kind)?.adoption.isOff
  const [was, is] = [before, after].map((values) => isOff?.(values ?? {}))
  return was === is ? 'changes' : was === true ? 'turns on' : 'turns off'
}

/** The project of a thing. */
const projectOf = ({ address, after }: Change, { declaration, among }: Context): string[] => {
  // A blocked change has no values; its entry names the project.
  const declared = declaration.entries.find((each) => each.address === entryOf(address))?.values
  const place = among(address)?.place ?? namedIn(declaration, after?.projectId ?? declared?.projectId)
  return typeof place === 'string' ? [place] : []
}

/**
 * How to exclude the project of a thing from its entry, by the address of the thing, or of the entry for that
 * project.
 */
export const amongIn = ({ loaded }: Pick<Proving, 'loaded'>) => {
  const known = new Map(loaded.declaration.entries.map(({ address, among }) => [address, among] as const))
  return (address: string) => {
    const { entry, keys } = parseAddress(address)
    return known.get(`${entry}[${keys[0] ?? ''}]`)
  }
}
