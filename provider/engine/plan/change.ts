import type { KindDefinition } from '../../core/definition.ts'
import { fillPath, type Operation } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import { same } from '../values/compare.ts'
import type { Instance } from './expand.ts'
import type { Change, Evidence, FieldChange, RecordedResource, RequestShape } from '../values/model.ts'
import { formatPosition } from '../values/position.ts'

type Details = Partial<Omit<Change, 'address' | 'kind' | 'declaredAt'>> &
  Pick<Change, 'action' | 'reason' | 'evidence'>

/** A change of a declared instance. */
export const changeOf = (instance: Instance, details: Details): Change => ({
  address: instance.address,
  kind: instance.definition.kind,
  ...(instance.entry.declaredAt === undefined
    ? {}
    : { declaredAt: formatPosition(instance.entry.declaredAt) }),
  before: null,
  after: shown(instance.definition, { ...instance.desired, ...instance.identity }),
  fields: [],
  requests: [],
  ...details,
})

/** A change of a record that nothing declares any more. */
export const changeOfRecord = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource,
  details: Details,
): Change => ({
  address,
  kind: record.kind,
  before: shown(definition, { ...record.applied, ...record.identity }),
  after: null,
  fields: [],
  requests: [],
  ...details,
})

/** Values for a person or a document: by the definition's fields, never a secret. */
export const shown = (definition: KindDefinition, values: Values): Values =>
  Object.fromEntries(
    Object.entries(definition.fields)
      .filter(([name, field]) => field.type.is !== 'secret' && values[name] !== undefined)
      .filter(
        ([, field]) => field.part !== 'local' || field.default === undefined || field.type.is === 'enum',
      )
      .map(([name]) => [name, values[name]]),
  )

/** The fields that differ by meaning, among those named. */
export const differing = (
  definition: KindDefinition,
  names: readonly string[],
  before: Values,
  after: Values,
): FieldChange[] =>
  names.flatMap((name) => {
    const field = definition.fields[name]
    if (field === undefined || after[name] === undefined || same(field, before[name], after[name])) return []
    return [{ path: name, before: before[name] ?? null, after: after[name] }]
  })

export const requestOf = (operation: Operation, identity: Identity): RequestShape => ({
  method: operation.method,
  path: fillPath(operation.path, identity),
})

export const READ: Evidence = { level: 'read' }
export const UNKNOWN: Evidence = { level: 'unknown' }
