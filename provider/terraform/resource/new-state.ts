import { isNone, type KindDefinition, type Values } from '../../core/index.ts'
import {
  asArray,
  evidenceAfterWrite,
  isAsWritten,
  same,
  writableFields,
  type EvidenceLevel,
  type RecordedResource,
  type Records,
  type Standing,
} from '../../engine/index.ts'
import { known, withValues, type Plain } from '../codec/plain.ts'
import { addressOf } from './entry.ts'
import { mapIn, membersOf } from './members.ts'

interface Facts {
  /** Everything that is remembered: of a selector, a record for each thing. */
  readonly records: Records
  readonly record: RecordedResource | undefined
  /** By its record after the apply, and by what was read before. */
  readonly standing: Standing
  /** Whether the reading before the apply has shown all that it was compared with. */
  readonly isShown: boolean
  /** The computed map of a resource that stands for several things, if the plan could not tell it. */
  readonly members: Values | undefined
}

/** The planned state, with everything filled in that was unknown. */
export const finished = (definition: KindDefinition, planned: Plain, facts: Facts): Plain => {
  const { record, standing } = facts
  const members = membersOf(definition, planned)
  const told = members === undefined ? {} : { [members.map]: facts.members }
  const whole = settled(planned, told)
  return settled(planned, {
    ...toldBy(record),
    ...told,
    evidence: evidenceOf(
      members === undefined
        ? evidenceAfterWrite(definition, record, planned.values)
        : evidenceOfMembers(definition, facts.records),
      facts,
    ),
    present: standing.live !== 'missing' && standing.parts !== 'missing' && isPresent(definition, whole),
    ...endedIn(standing),
    id: idOf(definition, planned, record),
  })
}

/** What an answer shows is as recorded, if the next reading leaves it out again. */
const evidenceOf = (answered: EvidenceLevel, { isShown }: Facts): EvidenceLevel =>
  answered === 'read' && !isShown ? 'recorded' : answered

/** That of a thing whose answer does not show all that was written, if there is one. */
const evidenceOfMembers = (definition: KindDefinition, records: Records): EvidenceLevel =>
  Object.values(records)
    .map((record) => evidenceAfterWrite(definition, record))
    .find((level) => level !== 'read') ?? 'read'

/** Replaces unknown values with what is told, or with nothing. */
const settled = ({ values, unknown }: Plain, told: Values): Plain =>
  known({ ...values, ...Object.fromEntries([...unknown].map((key) => [key, told[key]])) })

interface States {
  readonly prior: Plain | null
  readonly planned: Plain
}

/** What was remembered before the apply, and after it. */
interface Memories {
  readonly before: Records
  readonly records: Records
}

/** An earlier write of the same value does not count: somebody else may have changed it since. */
const isWrittenSince = ({ before, records }: Memories, address: string): boolean =>
  records[address]?.lastWrite?.to !== before[address]?.lastWrite?.to

/**
 * The state after a failure: what was reached, and otherwise what was there before, so that the next plan shows the
 * rest. A field whose write may or may not have taken effect is null, and is written again.
 */
export const reached = (definition: KindDefinition, states: States, memories: Memories): Plain => {
  const { prior, planned } = states
  const address = addressOf(definition)
  const record = memories.records[address]
  const isWritten = isWrittenSince(memories, address)
  const fields = writableFields(definition).map((name): [string, unknown] => [
    name,
    fieldReached(definition, name, { ...states, isWritten }, record),
  ])
  const { members } = definition.expand
  const after = withValues(planned, {
    ...Object.fromEntries(fields),
    ...createdAs(definition, planned, record),
    ...(members === undefined ? {} : { [members.map]: membersReached(definition, states, memories) }),
  })
  return settled(after, {
    ...toldBy(record),
    evidence: evidenceAfterWrite(definition, record),
    present: prior?.values['present'] ?? true,
    ended: prior?.values['ended'] ?? false,
    id: prior?.values['id'] ?? idOf(definition, planned, record),
  })
}

const fieldReached = (
  definition: KindDefinition,
  name: string,
  { prior, planned, isWritten }: States & { readonly isWritten: boolean },
  record: RecordedResource | undefined,
): unknown => {
  if (membersOf(definition, planned) !== undefined) return planned.values[name]
  if (record === undefined || record.unsure?.includes(name) === true) return undefined
  // Somebody else has changed it, as an answer has shown: the next plan puts it back.
  if (record.overridden?.[name] !== undefined) return record.applied[name]
  const value = planned.values[name]
  const isReached = isAsWritten(definition, record, name, value) && isAsSeen(definition, record, name, value)
  return (prior === null || isWritten) && isReached
    ? value
    : withLeftover(name, prior === null ? record.applied[name] : prior.values[name], record)
}

/**
 * Whether a value was seen last. What was written of a field before is still recorded if a later request was not sent
 * or failed. Elements that lag are not in an answer at once.
 */
const isAsSeen = (
  { fields }: KindDefinition,
  { answer }: RecordedResource,
  name: string,
  value: unknown,
): boolean => answer === null || fields[name]?.lags === true || same(fields[name], answer[name], value)

/** Fields that only a creation sets, as an answer has shown them, whatever is declared: they were not written. */
const createdAs = (
  { fields }: KindDefinition,
  { values }: Plain,
  record: RecordedResource | undefined,
): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const shown = record?.applied[name] ?? record?.answer?.[name]
      if (field.change !== 'create-only' || shown === undefined || values[name] === undefined) return []
      return same(field, values[name], shown) ? [] : [[name, shown]]
    }),
  )

/** What was removed and is still there stays in the state, so that the next plan shows it again. */
export const withLeftover = (name: string, value: unknown, record: RecordedResource): unknown => {
  const left = asArray(record.leftover?.[name])
  return left.length === 0 ? value : [...asArray(record.applied[name]), ...left]
}

export const membersReached = (
  definition: KindDefinition,
  { prior, planned }: States,
  memories: Memories,
): Values | undefined => {
  const members = membersOf(definition, planned)
  if (members === undefined) return undefined
  const had = prior === null ? {} : mapIn(members, prior)
  if (members.are === 'deleted') return had
  const { field } = members
  const recorded = Object.entries(memories.records)
  const written = recorded.flatMap(
    ([address, { identity, applied, answer, unsure }]): [string, unknown][] => {
      const key = identity[definition.identity.key]
      if (key === undefined) return []
      if (unsure?.includes(field) === true) return [[key, null]]
      return Object.hasOwn(had, key) && !isWrittenSince(memories, address)
        ? []
        : [[key, answer?.[field] ?? applied[field] ?? null]]
    },
  )
  return { ...had, ...Object.fromEntries(written) }
}

/** Whether it is over; undefined if its values do not tell. */
export const endedIn = ({ definition: { lifetime }, record: { applied }, isOver }: Standing): Values =>
  isNone(lifetime) ? {} : { ended: applied[lifetime.endsAt] === undefined ? undefined : isOver }

const isPresent = (definition: KindDefinition, whole: Plain): boolean => {
  const { ensures } = definition.expand
  const members = membersOf(definition, whole)
  if (members?.are === 'written') return Object.keys(mapIn(members, whole)).length > 0
  return ensures === undefined || whole.values[ensures.field] !== ensures.absent
}

const toldBy = (record: RecordedResource | undefined): Values => ({ ...record?.answer, ...record?.identity })

/** The key that the service assigned, or all parts of the name; undefined if nothing was made. */
const idOf = (
  { identity }: KindDefinition,
  { values }: Plain,
  record: RecordedResource | undefined,
): string | undefined => {
  if (identity.assigned !== 'never') return record?.identity[identity.key]
  return [...identity.scope, identity.key]
    .map((name) => record?.identity[name] ?? values[name])
    .filter((part) => typeof part === 'string')
    .join('/')
}
