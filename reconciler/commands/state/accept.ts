import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@deploymgmt/provider/api'
import { definitionOf, isReadable } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  accepted,
  eventsAbout,
  type Declaration,
  type EventsAbout,
  type RecordedResource,
} from '@deploymgmt/provider/engine'
import { EventsUnreadError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { ofField } from '../../render/document/field-type.ts'
import { commandWords } from '../../render/wording/words.ts'
import type { Session } from '../../state/index.ts'
import { showValue } from '../../text/values.ts'
import type { CommonOptions } from '../line/options.ts'
import { resolveRecordAddress } from '../resolve/address.ts'
import { tell } from '../output/tell.ts'
import { changeDeclared, recordAt, refuseWhileUnknown } from './change.ts'

/** Accepts events: those up to now no longer make the thing suspect. */
export const stateAccept = (io: Io, options: CommonOptions, given: string): Promise<number> =>
  changeDeclared(io, options, 'state accept', async (session, { client, loaded: { declaration } }) => {
    const { resources, projects = {} } = session.state
    const names = [...Object.entries(projects), ...declaration.projectNames]
    const address = resolveRecordAddress(given, { records: resources, names })
    refuseWhileUnknown(session, { io, options }, [address])
    return acceptAt(address, { io, client, declaration, session })
  })

interface Accepting {
  readonly io: Io
  readonly client: Client
  readonly declaration: Declaration
  readonly session: Session
}

/** @throws EventsUnreadError if it is unknown what would be accepted */
const acceptAt = async (
  address: string,
  { io, client, declaration, session }: Accepting,
): Promise<string> => {
  const records = session.state.resources
  const record = recordAt(records, address)
  const definition = definitionOf(kinds, record.kind)
  const { events, isSought, isRead, warnings } =
    definition === undefined
      ? NONE
      : await eventsAbout(client, definition, record, { definitions: kinds, declaration, records })
  const said = warnings.map((each) => commandWords(declaration.projectNames).says(each))
  if (!isRead) throw new EventsUnreadError(`nothing about ${address} was accepted: ${said.join('; ')}`)
  for (const warning of said) await tell(io, `Warning: ${warning}.`)
  const resource = accepted(record, {
    definition,
    entry: declaration.entries.find((entry) => entry.address === address),
    events: events.map(({ id }) => id),
    now: isSought ? new Date(client.serviceNow()) : undefined,
  })
  await session.effects([{ op: 'put', address, resource }])
  return sayAccepted(address, events.length, {
    isRead: definition !== undefined && isReadable(definition),
    isSought,
    taken: takenAsDeclared(record, resource),
  })
}

const NONE: EventsAbout = { events: [], isSought: true, isRead: true, warnings: [] }

/**
 * Fields that only a creation sets are recorded as now declared, because a person can have changed them at the
 * service.
 */
const takenAsDeclared = (before: RecordedResource, after: RecordedResource): string[] =>
  Object.keys(after.applied)
    .filter((name) => !isDeepStrictEqual(before.applied[name], after.applied[name]))
    .map((name) => {
      const show = (value: unknown): string => showValue(value ?? null, ofField({ kind: after.kind }, name))
      return `${name} ${show(before.applied[name])} → ${show(after.applied[name])}`
    })

const sayAccepted = (
  address: string,
  events: number,
  {
    isRead,
    isSought,
    taken,
  }: Pick<EventsAbout, 'isRead' | 'isSought'> & { readonly taken: readonly string[] },
): string => {
  const what = !isSought
    ? 'no events were read or accepted, because its organization is not known'
    : events === 0
      ? 'no new event was found'
      : `${events} ${events === 1 ? 'event' : 'events'} accepted`
  const then = isRead
    ? 'its values can be read, and drift still reports those that differ from what was last applied'
    : `${isSought ? 'it is no longer suspect. What' : 'what'} no endpoint shows stays not verifiable: the record keeps the ${taken.length > 0 ? 'other ' : ''}values last applied, whatever the service has`
  const asDeclared =
    taken.length === 0
      ? ''
      : ` What only a creation sets is now recorded as declared, although nothing shows what the service has: ${taken.join(', ')}.`
  return `${address}: ${what}; ${then}.${asDeclared}`
}
