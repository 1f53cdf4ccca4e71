import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { EngineClient } from '../read/client.ts'
import { parseInstant } from '../values/compare.ts'
import {
  fieldsOf,
  foreignEvents,
  readEvents,
  readFrom,
  showsEvents,
  spokenOf,
  type EventLog,
} from '../read/events.ts'
import type { Actor, Declaration, Evidence, EventSeen, RecordedResource } from '../values/model.ts'

/** The organizations whose events could be about a recorded thing. */
export const organizationsOf = (
  record: Pick<RecordedResource, 'identity' | 'applied'>,
  declaration: Declaration,
): readonly string[] => {
  const own = record.identity['orgId']
  if (own !== undefined) return [own]
  const project = record.identity['projectId']
  if (project === undefined) return [...new Set([...declaration.orgIds, ...namedIn(record, declaration)])]
  const known = declaration.organizations.get(project)
  return known === undefined ? declaration.orgIds : [known]
}

/** The organizations that values name, as a user's roles do, by themselves or by a project of theirs. */
const namedIn = ({ applied }: Pick<RecordedResource, 'applied'>, { organizations }: Declaration): string[] =>
  Object.values(applied)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []))
    .flatMap((element): (string | undefined)[] => {
      if (typeof element !== 'object' || element === null) return []
      const { orgId, projectId } = element as { orgId?: string; projectId?: string }
      return [orgId, projectId === undefined ? undefined : organizations.get(projectId)]
    })
    .filter((orgId) => orgId !== undefined)

export interface EvidenceContext {
  readonly declaration: Declaration
  readonly log: EventLog
  readonly ownKey: string
}

/** How well the recorded values of a thing that no endpoint shows are known. */
export const recordedEvidence = (
  definition: KindDefinition,
  record: RecordedResource,
  context: EvidenceContext,
): Evidence => {
  const since = record.lastWrite?.to ?? record.watermark
  const events = foreignEvents(definition, record, context.log, context.ownKey)
  if (events.length > 0) return { level: 'suspect', since, events }
  if (record.unsure !== undefined)
    return {
      level: 'unknown',
      since,
      note: `The outcome of the last write to ${record.unsure.join(', ')} is not known.`,
    }
  if (record.lastWrite === null) return { level: 'unknown', since, note: unreadable(definition) }
  return { level: 'recorded', since, note: noteOn(definition, record, context) }
}

/** Where not even our own last write can be seen, the absence of other events says nothing at all. */
const noteOn = (
  definition: KindDefinition,
  record: RecordedResource,
  { log, declaration }: EvidenceContext,
): string => {
  const why = unreadable(definition)
  if (isNone(definition.witness)) return `${why} ${definition.witness.none}`
  if (organizationsOf(record, declaration).some((orgId) => log.partly?.has(orgId)))
    return `${why} Not all events since were read.`
  // Events that a write has answered are in its span; a person accepts later than the last write.
  const isAccepted = parseInstant(record.watermark) > parseInstant(record.lastWrite?.to ?? record.watermark)
  const accepted = isAccepted ? (record.acknowledged?.length ?? 0) : 0
  if (accepted > 0)
    return `${why} ${accepted === 1 ? 'An event' : `${accepted} events`} about it accepted, none since.`
  return showsEvents(definition.witness, record, log)
    ? `${why} No event about it since.`
    : `${why} No events visible.`
}

const unreadable = ({ observe: how }: KindDefinition): string => ('reason' in how ? how.reason : '')

/** The newest foreign event as the likely cause of a difference, with how sure that is. */
export const actorOf = (
  definition: KindDefinition,
  events: readonly EventSeen[],
  changed: readonly string[],
): Actor | undefined => {
  const about = events.filter((event) => fieldsOf(definition, [event]).some((name) => changed.includes(name)))
  const event = about[0] ?? events[0]
  if (event === undefined) return undefined
  const { id, created, ...who } = event
  return { ...who, at: created, eventId: id, confidence: confidenceIn(definition, about, changed) }
}

const confidenceIn = (
  definition: KindDefinition,
  about: readonly EventSeen[],
  changed: readonly string[],
): Actor['confidence'] => {
  if (about.length === 0) return 'low'
  const { witness } = definition
  const precise =
    !isNone(witness) &&
    about.every(
      ({ eventTypeName }) =>
        spokenOf(witness, eventTypeName)?.some((name) => changed.includes(name)) === true,
    )
  return precise && about.length === 1 ? 'high' : 'medium'
}

/** Reads and answers the events about a recorded thing that are neither our own nor accepted. */
export const eventsAbout = async (
  client: EngineClient,
  definition: KindDefinition,
  record: RecordedResource,
  declaration: Declaration,
): Promise<EventSeen[]> => {
  const since = new Map(organizationsOf(record, declaration).map((orgId) => [orgId, readFrom(record)]))
  return since.size === 0
    ? []
    : foreignEvents(definition, record, await readEvents(client, since), client.publicKey)
}
