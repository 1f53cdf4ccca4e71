import { definitionOf, type KindDefinition, type Witness } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { EVENT_LAG_MS, type EventLog } from '../read/events.ts'
import { reason, type Reason } from '../reason.ts'
import type { Declaration, RecordedResource, Records } from '../values/model.ts'
import { isInForce } from '../values/sort.ts'
import { writableFields } from '../values/wire.ts'
import { countsFor } from './events.ts'
import { typeOfEvent } from '../read/event.ts'

interface UnseenProjectsInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly log: EventLog
  readonly ownKey: string
}

/** A write of ours to a thing in a project. */
interface Written {
  readonly project: string
  readonly org: string
  readonly definition: KindDefinition
  readonly witness: Witness
  /** The name of the project's field in events. */
  readonly wire: string
  readonly sent: readonly (readonly string[])[]
  readonly at: string
}

/**
 * Projects that this key wrote to and that no event of their organization is about, although events tell of such
 * writes in other projects there: the declared organization may be wrong. A service need not emit an event for a
 * write, so one of the same sort has to show that it does.
 */
export const unseenProjects = (seen: UnseenProjectsInput): Reason[] => {
  const { log } = seen
  const written = writtenIn(seen)
  const wires = [...new Set(written.map(({ wire }) => wire))]
  const told = new Set(
    log.events.flatMap((event) => wires.map((wire) => placeOf(event['orgId'], wire, event[wire]))),
  )
  const unseen = written.filter(({ org, wire, project }) => !told.has(placeOf(org, wire, project)))
  return [...Map.groupBy(unseen, ({ org }) => org)].flatMap(([org, writes]) => {
    const known = new Set(
      writes
        .filter((write) => log.events.some((event) => isAlike(write, event)))
        .map(({ project }) => project),
    )
    const last = writes.filter(({ project }) => known.has(project)).map(({ at }) => at)
    const at = last.toSorted((a, b) => parseInstant(a) - parseInstant(b)).at(-1)
    return at === undefined ? [] : [reason('project-without-events', { org, projects: [...known], at })]
  })
}

const placeOf = (org: unknown, wire: string, project: unknown): string => JSON.stringify([org, wire, project])

const writtenIn = ({ definitions, declaration, records, log, ownKey }: UnseenProjectsInput): Written[] => {
  // Where no project names its organization, as in a stack, events are looked for in all that are declared.
  const [only = ''] = declaration.orgIds.length === 1 ? declaration.orgIds : []
  return Object.values(records).flatMap((record) => {
    const definition = definitionOf(definitions, record.kind)
    if (definition === undefined || record.lastWrite === null) return []
    const { witness, identity, fields } = definition
    return identity.scope.flatMap((name): Written[] => {
      const project = record.identity[name] ?? ''
      const org = declaration.organizations.get(project) ?? only
      const since = log.from.get(org)
      if (isNone(witness) || since === undefined || record.lastWrite === null) return []
      const from = log.partly.get(org) ?? since
      if (!wasWrittenIn(record, { from, log, ownKey })) return []
      const { sent, to: at } = record.lastWrite
      return [{ project, org, definition, witness, wire: fields[name]?.wire ?? name, sent, at }]
    })
  })
}

/**
 * Whether an event of another project shows that such a write emits one. Events of creations say nothing about
 * changes, and the reverse.
 */
const isAlike = ({ org, definition, witness, wire, sent }: Written, event: Values): boolean => {
  if (event['orgId'] !== org || typeof event[wire] !== 'string') return false
  if (typeof event[witness.event] !== 'string' || !countsFor(witness, event)) return false
  const { create } = definition.establish
  if (isNone(create) || isNone(create.lost) || create.lost.by !== 'id') return true
  const always = writableFields(definition).filter((name) => definition.fields[name]?.need === 'always')
  const isCreation = sent.some((fields) => always.every((name) => fields.includes(name)))
  return create.lost.types.test(typeOfEvent(event)) === isCreation
}

/** Whether all events of the time of our write were read, including late ones. */
export const wasWrittenIn = (
  record: RecordedResource,
  { from, log, ownKey }: { readonly from: number; readonly log: EventLog; readonly ownKey: string },
): boolean => {
  const { lastWrite } = record
  if (lastWrite === null || isInForce(record) || lastWrite.by !== ownKey) return false
  const until = (log.readAt ?? Number.NEGATIVE_INFINITY) - EVENT_LAG_MS
  return (
    lastWrite.sent.length > 0 && parseInstant(lastWrite.from) >= from && parseInstant(lastWrite.to) < until
  )
}
