import * as fc from 'fast-check'
import { anyJson, anyWellFormedText } from '../../support/any-text.ts'
import { ids } from './fixture.ts'

/** A request as it is sent; its path is relative to the base URL. */
interface RandomRequest {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export const operationsOf = (document: Record<string, unknown>) =>
  Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

const sometimes = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd })

const oddText = anyWellFormedText({ maxLength: 30 })

const pathValues: Readonly<Record<string, readonly string[]>> = {
  orgId: [ids.org, ids.otherOrg],
  projectId: [ids.project, ids.otherProject],
  apiKeyId: [ids.ciKey, ids.reportingKey],
  alertConfigId: [ids.config, ids.metricConfig],
  alertId: [ids.openAlert, ids.globalAlert],
  userId: [ids.sam, ids.dana],
  type: ['MONITORING', 'BACKUP', 'AUTOMATION'],
  accessListEntry: ['203.0.113.5', '203.0.113.0/24'],
  hostId: [ids.host],
  integrationType: ['PAGING', 'WEBHOOK', 'APM_SERVICE'],
  eventId: [ids.event],
}

const queryValues: Readonly<Record<string, fc.Arbitrary<string>>> = {
  pageNum: fc.nat({ max: 5 }).map(String),
  itemsPerPage: fc.nat({ max: 600 }).map(String),
  status: fc.constantFrom('TRACKING', 'OPEN', 'CLOSED', 'CANCELLED'),
  eventType: fc.constantFrom('ALERT_CONFIG_ADDED_AUDIT', 'OTHER'),
  minDate: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00+05:30'),
  maxDate: fc.constantFrom('2036-01-01T00:00:00Z', '1970-01-01T00:00:00.123456789Z'),
}

const pathOf = (template: string): fc.Arbitrary<string> => {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const values = names.map((name) =>
    sometimes(
      fc.constantFrom(...(pathValues[name] ?? [ids.absent])),
      fc.oneof(oddText, fc.constant(ids.absent)),
    ),
  )
  return fc.tuple(...values).map((chosen) => {
    const next = chosen.values()
    return template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(next.next().value ?? '') || '%20')
  })
}

const queryOf = (operation: Operation): fc.Arbitrary<string> => {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.boolean().map(String), oddText, fc.nat({ max: 9 }))
    .chain(([name, flag, odd, choice]) =>
      (choice > 0 ? (queryValues[name] ?? fc.constant(flag)) : fc.constant(odd)).map(
        (value) => `${name}=${encodeURIComponent(value)}`,
      ),
    )
  return fc.array(pair, { maxLength: 3 }).map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''))
}

const texts = fc.oneof(
  fc.constantFrom('HOST', 'BACKUP', '2126-12-05T02:00:00Z', '2127-12-05T02:00:00.5Z', 'x@y.z'),
  fc.constantFrom(ids.org, ids.project, ids.otherOrg),
  oddText,
)

/** A value that fits a schema, or sometimes any other value. */
const valueOf = (schema: Schema): fc.Arbitrary<unknown> =>
  sometimes(exactly(schema), anyJson({ maxDepth: 2 }))

const exactly = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(valueOf(schema.items ?? {}), { maxLength: 4 })
  if (schema.type !== 'object') return texts
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, part]) => [name, valueOf(part)] as const,
  )
  const requiredKeys = [...(schema.required ?? [])]
  const complete = fc.record(Object.fromEntries(properties), { requiredKeys })
  return sometimes<unknown>(complete, fc.record(Object.fromEntries(properties), { requiredKeys: [] }))
}

/** Random requests to every operation of a document: mostly valid, often almost valid. */
export const randomRequests = (document: Record<string, unknown>): fc.Arbitrary<RandomRequest> =>
  fc.oneof(
    ...operationsOf(document).map(({ path, method, operation }) => {
      const schema = operation.requestBody?.content['application/json']?.schema
      return fc
        .tuple(pathOf(path), queryOf(operation), schema ? valueOf(schema) : fc.constant(undefined))
        .map(([chosen, query, body]) => ({
          operationId: operation.operationId,
          method,
          path: chosen + query,
          ...(schema ? { body: body ?? null } : {}),
        }))
    }),
  )
