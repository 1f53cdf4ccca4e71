import { definitionOf, isNone } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import type { RecordedResource } from '@deploymgmt/provider/engine'
import { AddressError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { Session } from '../../state/index.ts'
import { projectNamesKnown, resolveRecordAddress, type ProjectNames } from '../resolve/address.ts'
import { hasStar, resolveGlobs, targetOf } from '../resolve/target.ts'
import type { CommonOptions } from '../line/options.ts'
import { changeState, recordAt, refuseWhileUnknown } from './change.ts'

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
