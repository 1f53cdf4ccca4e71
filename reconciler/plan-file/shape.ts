import type { SchemaObject, ValidateFunction } from 'ajv'
import { ACTIONS, type EvidenceLevel } from '@deploymgmt/provider/engine'
import type { PlanDocument, SaidChange } from '../render/document.ts'
import type { SavedPlan } from './file.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const anything = {}
const texts = { type: 'array', items: text }
const values = { type: ['object', 'null'] }
const LEVELS: Record<EvidenceLevel, null> = { read: null, recorded: null, suspect: null, unknown: null }

const listOf = (items: SchemaObject): SchemaObject => ({ type: 'array', items })

/** An object with at least the fields of `T`: each is named once here, so that a new one cannot be forgotten. */
const objectOf = <T>(
  properties: Record<keyof T, SchemaObject>,
  optional: readonly (keyof T)[] = [],
): SchemaObject => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name as keyof T)),
  properties,
})

const event = objectOf<NonNullable<SaidChange['evidence']['events']>[number]>(
  {
    id: text,
    eventTypeName: text,
    created: { type: 'string', format: 'instant' },
    username: text,
    publicKey: text,
    remoteAddress: text,
  },
  ['username', 'publicKey', 'remoteAddress'],
)

const evidence = objectOf<SaidChange['evidence']>(
  {
    level: { enum: Object.keys(LEVELS) },
    since: { type: 'string', format: 'instant' },
    events: listOf(event),
    note: text,
  },
  ['since', 'events', 'note'],
)

const actor = objectOf<NonNullable<SaidChange['actor']>>(
  {
    username: text,
    publicKey: text,
    at: { type: 'string', format: 'instant' },
    eventId: text,
    eventTypeName: text,
    remoteAddress: text,
    confidence: { enum: ['high', 'medium', 'low'] },
  },
  ['username', 'publicKey', 'remoteAddress'],
)

const change = objectOf<SaidChange>(
  {
    address: text,
    kind: text,
    action: { enum: ACTIONS },
    reason: text,
    declaredAt: text,
    before: values,
    after: values,
    fields: listOf(
      objectOf<SaidChange['fields'][number]>({ path: text, before: anything, after: anything, note: text }, [
        'after',
        'before',
        'note',
      ]),
    ),
    evidence,
    actor,
    requests: listOf(
      objectOf<SaidChange['requests'][number]>({
        method: { enum: ['GET', 'POST', 'PATCH', 'DELETE'] },
        path: text,
      }),
    ),
    byHand: text,
    from: text,
    waitsFor: texts,
    awaited: texts,
    notes: texts,
    needs: listOf(
      objectOf<NonNullable<SaidChange['needs']>[number]>({ flag: text, because: text, address: text }, [
        'address',
      ]),
    ),
    code: text,
  },
  ['declaredAt', 'actor', 'byHand', 'from', 'waitsFor', 'awaited', 'notes', 'needs', 'code'],
)

const document = objectOf<PlanDocument>({
  formatVersion: { const: 1 },
  inSync: { type: 'boolean' },
  summary: {
    type: 'object',
    required: [...ACTIONS, 'unverifiable'],
    additionalProperties: count,
  },
  changes: listOf(change),
  warnings: texts,
  requestsSent: count,
})

const SCHEMA = objectOf<SavedPlan>(
  {
    formatVersion: { const: 1 },
    savedPlan: { const: true },
    baseUrl: text,
    now: { type: 'string', format: 'instant' },
    files: texts,
    vars: texts,
    target: texts,
    sources: listOf(objectOf<SavedPlan['sources'][number]>({ file: text, sha256: text })),
    state: objectOf<SavedPlan['state']>({ lineage: text, serial: count, exists: { type: 'boolean' } }),
    document,
    serviceVersion: text,
    stateFile: text,
  },
  ['serviceVersion', 'stateFile'],
)

/** Compiled when a plan file is read, and once. */
const compiled = async (): Promise<ValidateFunction> => {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
  ajv.addFormat('instant', (said: string) => !Number.isNaN(Date.parse(said)))
  return ajv.compile(SCHEMA)
}
let validator: Promise<ValidateFunction> | undefined

/** Why a value is not a saved plan, with the place; nothing where it is one. */
export const savedPlanFault = async (value: unknown): Promise<string | undefined> => {
  validator ??= compiled()
  const validate = await validator
  if (validate(value)) return undefined
  const [error] = validate.errors ?? []
  return `${error?.instancePath ?? ''} ${error?.message ?? 'is not as expected'}`.trim()
}
