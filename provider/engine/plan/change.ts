import type { KindDefinition } from '../../core/definition.ts'
import { fillPath, type Operation } from '../../core/operation.ts'
import { pickBy, type Identity, type Values } from '../../core/values.ts'
import { reason, type Reason } from '../reason.ts'
import { narrows } from '../values/compare.ts'
import type { Instance } from '../values/instance.ts'
import {
  type Action,
  type Actor,
  type Change,
  type Evidence,
  type FieldChange,
  formatPosition,
  type RecordedResource,
  type RequestShape,
} from '../values/model.ts'
import { perDefinition } from '../values/per-definition.ts'
import type { PlannedChange } from './work.ts'

export type Details = Partial<Omit<Change, 'address' | 'kind' | 'declaredAt'>> &
  Pick<Change, 'action' | 'reason' | 'evidence'>

export const changeOf = (instance: Instance, details: Details): Change => {
  const { address, definition, entry, identity, desired, takenFrom } = instance
  const { kind } = definition
  const after = shown(definition, identity, desired)
  const more = takenFrom === undefined ? details : { takenFrom, ...details }
  const none = { before: null, after, fields: NONE, requests: NONE }
  if (entry.declaredAt === undefined) return { address, kind, ...none, ...more }
  // This runs for every declared thing. One written-out literal is cheaper than spreading.
  const declaredAt = formatPosition(entry.declaredAt)
  return { address, kind, declaredAt, before: null, after, fields: NONE, requests: NONE, ...more }
}
const NONE: readonly never[] = []

/** Whether a reason is that live differs in what the entry leaves to others. */
export const isOfIgnored = ({ code }: Reason): boolean => code === 'as-declared-but-ignored'

/** Adds who has done what the change meets. */
export const withActor = (planned: PlannedChange, actor: Actor | undefined): PlannedChange =>
  actor === undefined ? planned : { ...planned, change: { ...planned.change, actor } }

/** A change of a record that nothing declares any more. */
export const changeOfRecord = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource,
  details: Details,
): Change => ({
  address,
  kind: record.kind,
  before: shown(definition, record.identity, record.applied),
  after: null,
  fields: [],
  requests: [],
  ...details,
})

/**
 * Values to show to people or in documents, by the definition's fields and without secrets. The identity takes
 * precedence over the values.
 */
const shown = (definition: KindDefinition, identity: Identity, values: Values): Values => {
  const told: Record<string, unknown> = {}
  for (const name of shownFields(definition)) {
    const value = identity[name] ?? values[name]
    if (value !== undefined) told[name] = value
  }
  return told
}

const shownFields = perDefinition(({ fields }) =>
  Object.entries(fields)
    .filter(([, { type }]) => type.is !== 'secret')
    .filter(
      ([, { part, default: usual, type }]) => part !== 'local' || usual === undefined || type.is === 'enum',
    )
    .map(([name]) => name),
)

export const requestOf = (operation: Operation, identity: Identity): RequestShape => ({
  method: operation.method,
  path: fillPath(operation.path, identity),
})

export const READ: Evidence = { level: 'read' }
export const UNKNOWN: Evidence = { level: 'unknown' }

/** A change that the engine cannot carry out. */
export const blocked = (
  instance: Instance,
  because: Reason,
  details: Partial<Omit<Details, 'action' | 'reason'>> = {},
): PlannedChange => ({
  change: changeOf(instance, { evidence: READ, ...details, action: 'blocked', reason: because }),
  work: { do: 'keep' },
})

/** Something added by hand gets a new id, so the declared id has to be checked first. */
export const keyNote = ({
  definition,
  identity,
  unmatched,
}: Instance): { readonly notes?: readonly Reason[] } => {
  const { key } = definition.identity
  return unmatched !== undefined || definition.fields[key]?.type.is !== 'id' || identity[key] === undefined
    ? {}
    : { notes: [reason('check-key-first', { key })] }
}

export const isUnverifiable = ({ action, evidence }: ActionSeen): boolean =>
  action === 'unchanged' && evidence.level !== 'read'

/** Whether something is left to do, by an apply or by hand. */
export const isDifference = ({ action }: Pick<ActionSeen, 'action'>): boolean =>
  action !== 'unchanged' && action !== 'expired'

interface ActionSeen {
  readonly action: Action
  readonly evidence: Pick<Evidence, 'level'>
}

/** Keeps a typing error in a project's id from passing as "nothing is there". */
export const placeMissing = (instance: Instance): PlannedChange =>
  blocked(
    instance,
    reason('place-missing', {
      place: pickBy(instance.identity, (_, name) => instance.definition.identity.scope.includes(name)),
    }),
  )

/** The fields that a write would narrow. Fields without a known live value are left out. */
export const narrowed = ({ definition }: Instance, fields: readonly FieldChange[]): string[] =>
  fields
    .filter(({ path, before, after }) => {
      const field = definition.fields[path]
      return field !== undefined && before !== null && narrows(field, before, after)
    })
    .map(({ path }) => path)
