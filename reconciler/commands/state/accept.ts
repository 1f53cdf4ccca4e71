import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@deploymgmt/provider/api'
import { definitionOf, isReadable, type KindDefinition } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  accepted,
  eventsAbout,
  type Declaration,
  type EventsAbout,
  type Reason,
  type RecordedResource,
} from '@deploymgmt/provider/engine'
import { EventsUnreadError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { ofField } from '../../render/document/field-type.ts'
import { commandWords } from '../../render/wording/words.ts'
import type { Session } from '../../state/index.ts'
import { showValue } from '../../text/values.ts'
import type { CommonOptions } from '../line/options.ts'
import { tell } from '../output/tell.ts'
import { changeDeclared } from './change.ts'
import { recordAt } from './record-at.ts'
import { refuseWhileUnknown } from './refuse-while-unknown.ts'
import { addressesMeant } from './meant.ts'

/**
 * Accepts events: those up to now no longer make the things suspect. Declared values are recorded, so references are
 * resolved.
 */
export const stateAccept = (io: Io, options: CommonOptions, given: readonly string[]): Promise<number> =>
  changeDeclared(io, options, 'state accept', async (session, { client, loaded: { declaration } }) => {
    const { projects = {} } = session.state
    const names = [...Object.entries(projects), ...declaration.projectNames]
    const meant = addressesMeant(given, session, names)
    refuseWhileUnknown(session, { io, options }, meant)
    return acceptEach(meant, { io, client, declaration, session })
  })

interface Accepting {
  readonly io: Io
  readonly client: Client
  readonly declaration: Declaration
  readonly session: Session
}

/** A record that is accepted, and how it is read; a newer version can have recorded a kind that this one lacks. */
interface Met {
  readonly address: string
  readonly record: RecordedResource
  readonly definition: KindDefinition | undefined
}

/** @throws EventsUnreadError if it is unknown what would be accepted of any of them */
const acceptEach = async (
  addresses: readonly string[],
  { io, client, declaration, session }: Accepting,
): Promise<string | readonly string[]> => {
  const records = session.state.resources
  const met = addresses.map((address): Met => {
    const record = recordAt(records, address)
    return { address, record, definition: definitionOf(kinds, record.kind) }
  })
  const things = met.flatMap(({ record, definition }) =>
    definition === undefined ? [] : [{ record, definition }],
  )
  const known = { definitions: kinds, declaration, records }
  const { about, warnings } = await eventsAbout(client, things, known)
  const all = met.map((each) => ({ ...each, about: about.get(each.record) ?? NONE }))
  const said = warnings.map((each) => commandWords(declaration.projectNames).says(withoutRemedy(each)))
  const unread = all.find((each) => !each.about.isRead)
  if (unread !== undefined)
    throw new EventsUnreadError(
      all.length === 1
        ? `nothing about ${unread.address} was accepted: ${said.join('; ')}`
        : `nothing was accepted, because not all events about ${unread.address} could be read: ${said.join('; ')}`,
    )
  for (const warning of said) await tell(io, `Warning: ${warning}.`)
  const accepting = all.map((each) => ({
    ...each,
    resource: accepted(each.record, {
      definition: each.definition,
      entry: declaration.entries.find(({ address }) => address === each.address),
      events: each.about.events.map(({ id }) => id),
      now: each.about.isSought ? new Date(client.serviceNow()) : undefined,
    }),
  }))
  await session.effects(accepting.map(({ address, resource }) => ({ op: 'put', address, resource })))
  const [only = '', ...others] = accepting.map(
    ({ address, record, definition, about: { events, isSought }, resource }) =>
      sayAccepted(address, events.length, {
        isRead: definition !== undefined && isReadable(definition),
        isSought,
        taken: takenAsDeclared(record, resource),
      }),
  )
  return others.length === 0 ? only : [only, ...others]
}

/** This command is the remedy. */
const withoutRemedy = (warning: Reason): Reason =>
  warning.code === 'events-left-unread' ? { ...warning, byRecords: false } : warning

const NONE: EventsAbout = { events: [], isSought: true, isRead: true }

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
