import { definitionOf, isNone } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { isToldByEvents, type RecordedResource } from '@deploymgmt/provider/engine'
import { AddressError } from '../../errors/index.ts'
import type { Session } from '../../state/index.ts'
import { resolveRecordAddress, type ProjectNames } from '../resolve/address.ts'
import { hasStar, resolveGlobs, targetOf } from '../resolve/target.ts'

/** A record that an argument means. */
export interface Meant {
  readonly address: string
  readonly record: RecordedResource
}

type Looked = Pick<Session, 'state' | 'unknown'>

/** The addresses that arguments mean, each once. @throws AddressError if a glob means nothing */
export const addressesMeant = (given: readonly string[], session: Looked, names: ProjectNames): string[] => [
  ...new Set(
    given.flatMap((each) => {
      const meant = addressesFound(each, session, names)
      if (meant.length > 0) return meant
      if (hasStar(each))
        throw new AddressError(`nothing is recorded at ${each}`, { hint: AddressError.remedy })
      // The error names what is similar.
      return [resolveRecordAddress(each, { records: session.state.resources, names })]
    }),
  ),
]

/** The addresses that an argument means: one record, all of an entry, or those that a glob matches; can be none. */
export const addressesFound = (
  given: string,
  { state: { resources }, unknown }: Looked,
  names: ProjectNames,
): string[] => {
  const known = { entries: [], projectNames: new Map(names) }
  const globs = hasStar(given)
    ? resolveGlobs([given], known, resources)
    : [resolveRecordAddress(given, { records: resources, names })]
  const [address = given] = globs
  if (Object.hasOwn(resources, address)) return [address]
  const includes = targetOf(globs)?.includes
  const addresses = new Set([...Object.keys(resources), ...unknown.map((each) => each.address)])
  return [...addresses].filter((each) => includes?.(each) === true)
}

/** The addresses of creations of unknown outcome that can have made one of these records’ things. */
export const creationsLike = (records: readonly Meant[], { unknown }: Pick<Session, 'unknown'>): string[] => {
  const meant = new Set(records.map(({ record }) => record.kind))
  return unknown.flatMap(({ kind, method, address }) =>
    method === 'POST' && meant.has(kind) ? [address] : [],
  )
}

/** A sentence with the id of a thing, after a space; empty if it has none. */
export const sayId = ({ kind, identity }: RecordedResource): string => {
  const key = definitionOf(kinds, kind)?.identity.key ?? ''
  return identity[key] === undefined ? '' : ` Its ${key} is ${identity[key]}.`
}

/** Whether the next apply may create such a thing anew. */
export const isCreatedAgain = ({ record: { kind } }: Meant): boolean => {
  const definition = definitionOf(kinds, kind)
  return definition !== undefined && !isNone(definition.establish.create)
}

/** What else an apply may do that brings these things under management again; empty if it creates none of them. */
export const sayCreatedAgain = (records: readonly Meant[]): string =>
  records.some(isCreatedAgain) ? ', or creates what no id names in its entry' : ''

/** Whether only events tell of this thing, so that one made with the same key by another manifest is a stranger. */
export const isOnlyTold = ({ record: { kind } }: Meant): boolean => {
  const definition = definitionOf(kinds, kind)
  return definition !== undefined && isToldByEvents(definition)
}
