import { definitionOf, isNone, NAME_LENGTH, NAME_PATTERN, nearest } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { entryOf, isReplaced, type RecordedResource } from '@deploymgmt/provider/engine'
import { loadDeclaration, loadHead } from '../../config/index.ts'
import { AddressError, type UnknownOutcomeError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { formatOf } from '../../render/formats.ts'
import type { Done } from '../../render/document/reports.ts'
import { openSession, withSession, type OpenIntent, type Session } from '../../state/index.ts'
import { canStillHappen, lostWrite } from '../../apply/intent-forms.ts'
import {
  projectNamesKnown,
  resolveAddress,
  resolveRecordAddress,
  type ProjectNames,
} from '../resolve/address.ts'
import { hasStar, resolveGlobs, targetOf } from '../resolve/target.ts'
import { manifestsOf, sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { reporter } from '../output/report.ts'
import { resolveState } from '../resolve/state.ts'
import { interruptOf } from '../service/interrupt.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { unknownOutcome } from '../run/unknown-outcomes.ts'
import { baseUrlFrom } from '../service/base-url.ts'

/** The state, with the manifest's name and the service's address as its owner. */
export const stateToOpen = async (io: Io, options: CommonOptions) => {
  const head = await loadHead(manifestsOf(io, options), kinds)
  const { name, ...at } = await resolveState(io, options, head)
  return { ...at, expect: { name, baseUrl: await baseUrlFrom(io, options) } }
}

export const recordAt = (
  records: Readonly<Record<string, RecordedResource>>,
  address: string,
): RecordedResource => {
  // Given by a person: `constructor` is no record, although every object has it.
  const record = Object.hasOwn(records, address) ? records[address] : undefined
  if (record !== undefined) return record
  const known = Object.keys(records)
  // People leave out the section, or mean what an entry has in one project.
  const begin = address.replace(/\]$/, '')
  const close = known.filter(
    (each) => each.startsWith(begin) || address.startsWith(each) || entryOf(each).endsWith(`.${address}`),
  )
  const meant = close.length === 0 ? misspelt(address, known) : undefined
  throw new AddressError(
    `nothing is recorded at ${address}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    { hint: close.length > 0 ? `There is: ${close.slice(0, 5).join(', ')}.` : AddressError.remedy },
  )
}

/** The name of another thing is no misspelling, even if the names are short compared to their section. */
const misspelt = (address: string, known: readonly string[]): string | undefined => {
  // If an entry has several things, their addresses end with keys in brackets, which people leave out.
  const meant = nearest(address, known) ?? nearest(address, known.map(entryOf))
  if (meant === undefined) return undefined
  const [given, name] = [address, meant].map((each) => each.slice(each.indexOf('.') + 1)) as [string, string]
  return given === name || (name.length > 2 && nearest(given, [name]) !== undefined) ? meant : undefined
}

/** Sentences for a person; one document for a machine, as from every other command. */
export const told = async (
  io: Io,
  options: CommonOptions,
  done: string | readonly string[],
  more: Omit<Done, 'formatVersion' | 'done'> = {},
): Promise<void> => {
  // A sentence goes to stderr, unless a file was given for it.
  const isAside = formatOf('done', options.format)?.for === 'person' && options.output === undefined
  const out = isAside ? { ...io, stdout: io.stderr } : io
  await (
    await reporter(out, options, 'done')
  )({ document: { formatVersion: 1, done, ...more } })
}

/**
 * Completes what has begun when it is interrupted, because a lock that is left behind stops everybody else. Only the
 * wait for a lock ends.
 */
export const completing = <T>(io: Io, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, stopListening } = interruptOf(io, 'what has begun is completed, and the lock given back')
  return act(signal).finally(stopListening)
}

/** Opens the state, changes it, and saves it. */
export const changeState = async (
  io: Io,
  options: CommonOptions,
  command: string,
  act: (session: Session) => Promise<string | readonly string[]>,
): Promise<number> => {
  const meant = await stateToOpen(io, options)
  const { lockTimeout } = options
  return completing(io, async (signal) => {
    const opened = await openSession({ ...meant, command, lockTimeout, signal }, systemOf(io))
    return changeOpened(io, options, opened, act)
  })
}

/** Changes an open state, and saves it. */
export const changeOpened = (
  io: Io,
  options: CommonOptions,
  opened: Session,
  act: (session: Session) => Promise<string | readonly string[]>,
): Promise<number> =>
  withSession(opened, async (session) => {
    for (const notice of session.notices) await tell(io, notice)
    const said = await act(session)
    await session.commit()
    await told(io, options, said)
    return 0
  })

/**
 * The outcome of a request is recorded at the request's address. If the record was moved, dropped or accepted before
 * that, the outcome would appear as another thing, or count as known.
 * @throws UnknownOutcomeError
 */
export const refuseWhileUnknown = (
  session: Pick<Session, 'unknown'>,
  { io, options }: { readonly io: Io; readonly options: CommonOptions },
  addresses: readonly string[],
): void => {
  // An entry means all of its instances.
  const open = session.unknown.filter(
    ({ address }) => addresses.includes(address) || addresses.includes(entryOf(address)),
  )
  if (open.length === 0) return
  throw leftUnknown(open, { io, options })
}

/** Says that these requests have to be settled first. */
export const leftUnknown = (
  open: readonly OpenIntent[],
  { io, options }: { readonly io: Io; readonly options: CommonOptions },
): UnknownOutcomeError =>
  unknownOutcome(
    open.map((intent) => ({
      write: lostWrite(intent),
      because: undefined,
      until: canStillHappen(intent, io.now()),
    })),
    sameFlagsOf(options),
  )

/** What follows a section: a name as in a manifest, and the key of an instance. */
const NAME_AND_KEY = new RegExp(NAME_PATTERN.replace(/\$$/, '(?:\\[[^[\\]]+\\])*$'))

export const stateMove = (io: Io, options: CommonOptions, old: string, name: string): Promise<number> =>
  changeState(io, options, 'state mv', async (session) => {
    const { resources } = session.state
    const known = { records: resources, names: await projectNamesKnown(io, options, session.state) }
    const [from, to] = [resolveRecordAddress(old, known), resolveAddress(name, known)]
    // The name and the id of a project make one address: to forget what is in the way would forget the thing itself.
    if (from === to) throw new AddressError(`${to} is its address already`)
    const moves = movesOf(Object.keys(resources), from, to)
    refuseWhileUnknown(session, { io, options }, [from, to, ...moves.flat()])
    for (const [each, next] of moves) refuseMove(recordAt(resources, each), next, resources)
    await session.effects(moves.map(([each, next]) => ({ op: 'move', from: each, to: next })))
    const all = moves.length > 1 ? `, with all ${moves.length} that it stands for` : ''
    const then = (await isDeclaredAs(io, options, { from, to }))
      ? 'The manifest already has that name.'
      : 'Rename the entry in the manifest, too; otherwise the next apply renames it back.'
    return `${from} is now ${to}${all}. Nothing was sent. ${then}`
  })

/** Whether the manifest has the new name and no longer the old one; undefined if it cannot be read. */
const isDeclaredAs = async (
  io: Io,
  options: CommonOptions,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> => {
  const declared = await addressesDeclared(io, options).catch((error: unknown) => {
    if (error instanceof DeploymgmtError) return []
    throw error
  })
  const isNamed = (address: string): boolean => declared.some((each) => entryOf(each) === entryOf(address))
  return isNamed(to) && (entryOf(from) === entryOf(to) || !isNamed(from))
}

const addressesDeclared = async (io: Io, options: CommonOptions): Promise<string[]> => {
  const loaded = await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds)
  return loaded.declaration.entries.map(({ address }) => address)
}

/** The name of an entry means all of its records, as everywhere else, except those that are being replaced. */
const movesOf = (known: readonly string[], from: string, to: string): (readonly [string, string])[] => {
  const within = known.filter((address) => entryOf(address) === from && !isReplaced(address))
  return known.includes(from) || within.length === 0 || entryOf(to) !== to
    ? [[from, to]]
    : within.map((address) => [address, `${to}${address.slice(from.length)}`])
}

const refuseMove = ({ kind }: RecordedResource, to: string, records: Session['state']['resources']): void => {
  if (Object.hasOwn(records, to))
    throw new AddressError(`${to} is already recorded`, { hint: 'Move or forget that one first.' })
  const section = definitionOf(kinds, kind)?.section ?? ''
  if (!to.startsWith(`${section}.`) || !NAME_AND_KEY.test(to.slice(section.length + 1)))
    throw new AddressError(`${to} is not an address of the section ${section}`, {
      hint: `An address is ${section}.NAME; NAME has at most ${NAME_LENGTH} letters, digits, - and _, and begins with a letter, a digit or a single _.`,
    })
}

export const stateForget = (io: Io, options: CommonOptions, given: readonly string[]): Promise<number> =>
  changeState(io, options, 'state forget', async (session) => {
    const { resources } = session.state
    const names = await projectNamesKnown(io, options, session.state)
    const meant = [...new Set(given.flatMap((each) => meantBy(each, session, names)))]
    refuseWhileUnknown(session, { io, options }, meant)
    const records = meant.map((address) => ({ address, record: recordAt(resources, address) }))
    // A forgotten thing would look like the result of a lost creation.
    const dropped = new Set(records.map(({ record }) => record.kind))
    const creations = session.unknown.filter(({ kind, method }) => method === 'POST' && dropped.has(kind))
    refuseWhileUnknown(
      session,
      { io, options },
      creations.map((intent) => intent.address),
    )
    await session.effects(meant.map((address) => ({ op: 'drop', address })))
    const [only, ...others] = records
    if (only !== undefined && others.length === 0)
      return `${sayForgotten(only)} Nothing was sent; the thing itself stays as it is. As long as its entry is declared, the next apply brings ${isCreatedAgain(only) ? 'one under management again, or creates one if the entry does not name an id' : 'it under management again'}, so remove the entry first.`
    const again = records.some(isCreatedAgain) ? ', or creates what no id names in its entry' : ''
    return [
      ...records.map(sayForgotten),
      `Nothing was sent; the things themselves stay as they are. As long as their entries are declared, the next apply brings them under management again${again}, so remove the entries first.`,
    ]
  })

/** The addresses that an argument means: one record, all of an entry, or those that a glob matches. */
const meantBy = (
  given: string,
  { state: { resources }, unknown }: Pick<Session, 'state' | 'unknown'>,
  names: ProjectNames,
): string[] => {
  const isGlob = hasStar(given)
  const known = { entries: [], projectNames: new Map(names) }
  const globs = isGlob
    ? resolveGlobs([given], known, resources)
    : [resolveRecordAddress(given, { records: resources, names })]
  const [address = given] = globs
  if (Object.hasOwn(resources, address)) return [address]
  const includes = targetOf(globs)?.includes
  const addresses = new Set([...Object.keys(resources), ...unknown.map((each) => each.address)])
  const within = [...addresses].filter((each) => includes?.(each) === true)
  if (within.length === 0 && isGlob)
    throw new AddressError(`nothing is recorded at ${given}`, { hint: AddressError.remedy })
  // The error names what is similar.
  return within.length === 0 ? [address] : within
}

interface Forgotten {
  readonly address: string
  readonly record: RecordedResource
}

const sayForgotten = ({ address, record: { kind, identity } }: Forgotten): string => {
  const key = definitionOf(kinds, kind)?.identity.key ?? ''
  const id = identity[key] === undefined ? '' : ` Its ${key} is ${identity[key]}.`
  return `${address} is forgotten.${id}`
}

/** Whether the next apply may create such a thing anew. */
const isCreatedAgain = ({ record: { kind } }: Forgotten): boolean => {
  const definition = definitionOf(kinds, kind)
  return definition !== undefined && !isNone(definition.establish.create)
}
