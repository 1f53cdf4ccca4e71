import { definitionOf, NAME_LENGTH, NAME_PATTERN } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { entryOf, isReplaced, type RecordedResource } from '@deploymgmt/provider/engine'
import { loadDeclaration } from '../../config/index.ts'
import { AddressError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Session } from '../../state/index.ts'
import { projectNamesKnown, resolveAddress, resolveRecordAddress } from '../resolve/address.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import { changeState } from './change.ts'
import { recordAt } from './record-at.ts'
import { refuseWhileUnknown } from './refuse-while-unknown.ts'

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

/** Whether the manifest has the new name and no longer the old one; one that cannot be read has neither. */
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

/** @throws what the manifests throw that cannot be loaded */
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
