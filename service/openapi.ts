import type { TSchema } from 'typebox'
import type { Endpoint } from './http/endpoint.ts'
import { serviceVersion } from './http/headers.ts'
import { defaultItemsPerPage, maximumItemsPerPage } from './http/paging.ts'
import type { QueryName } from './http/query.ts'
import { filterStatuses } from './model/alert.ts'
import { ErrorResource } from './model/common.ts'
import { endpoints } from './routes/endpoints.ts'

type Json = Record<string, unknown>

const parameter = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'query',
  description,
  schema,
})

const flag = { type: 'boolean', default: false }
const instant = { type: 'string', format: 'date-time' }

const common = [
  parameter('pretty', 'Pretty-print the response.', flag),
  parameter('envelope', 'Wrap the response.', flag),
]

const groups: Readonly<Record<QueryName, readonly Json[]>> = {
  paging: [
    parameter('pageNum', 'The page, counted from 1.', { type: 'integer', minimum: 1, default: 1 }),
    parameter('itemsPerPage', 'Items of a page.', {
      type: 'integer',
      minimum: 1,
      maximum: maximumItemsPerPage,
      default: defaultItemsPerPage,
    }),
  ],
  status: [
    parameter('status', 'Only alerts of this status.', {
      type: 'string',
      enum: [...filterStatuses],
    }),
  ],
  eventType: [
    parameter('eventType', 'Only events of the given types.', { type: 'array', items: { type: 'string' } }),
  ],
  includeRaw: [parameter('includeRaw', 'Include the raw document.', flag)],
  minDate: [parameter('minDate', 'Only events created then or later.', instant)],
  maxDate: [parameter('maxDate', 'Only events created then or earlier.', instant)],
}

/** The OpenAPI 3.1 document of the 21 endpoints, from the same table that serves them. */
export const openApiDocument = (): Json => {
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const described = refer(operation(endpoint), schemas)
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Deployment Management Public API, as the embedded service serves it',
      version: serviceVersion,
      description:
        'Generated from the endpoints of the embedded service; what is not shown in the description of the API is as its open.* settings say.',
    },
    servers: [{ url: 'http://127.0.0.1:{port}/api/public/v1.0', variables: { port: { default: '8080' } } }],
    security: [{ digest: [] }],
    paths,
    components: {
      securitySchemes: {
        digest: { type: 'http', scheme: 'digest', description: 'Public key and private key of an API key.' },
      },
      schemas: sorted(schemas),
    },
  }
}

const operation = (endpoint: Endpoint): Json => {
  const { number, method, path, summary, query, body } = endpoint
  return {
    operationId: `endpoint${number}`,
    summary: `${number}. ${summary}`,
    parameters: [...pathParameters(path), ...common, ...query.flatMap((name) => groups[name])],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      ...Object.fromEntries(endpoint.statuses.map((status) => [status, success(endpoint, status)])),
      '401': {
        description: 'No valid credentials, with a Digest challenge; or a role is missing.',
        headers: { 'WWW-Authenticate': { schema: { type: 'string' } } },
        content: errorContent(),
      },
      '4XX': { description: `The request of this ${method} was refused.`, content: errorContent() },
    },
  }
}

const success = ({ answer, statuses }: Endpoint, status: number): Json => {
  const description = status === statuses[0] ? 'Success.' : 'Success, under another open.* setting.'
  return answer
    ? { description, content: { 'application/json': { schema: envelopes(answer) } } }
    : { description }
}

/** A single result is wrapped with envelope=true; a list has the status field in its own body. */
const envelopes = (answer: TSchema): unknown => {
  const isList = 'results' in ((answer as { properties?: object }).properties ?? {})
  if (isList) return answer
  const wrapped = {
    type: 'object',
    required: ['status', 'content'],
    properties: { status: { type: 'integer' }, content: answer },
    additionalProperties: false,
  }
  return { anyOf: [answer, wrapped] }
}

const errorContent = (): Json => ({ 'application/json': { schema: ErrorResource } })

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

/** Moves each titled schema to components, and refers to it everywhere else. */
const refer = (value: unknown, schemas: Record<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((item) => refer(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { title, ...rest } = value as Json
  const isSchema = typeof title === 'string' && 'properties' in rest
  const inner = Object.fromEntries(
    Object.entries(isSchema ? rest : value).map(([name, part]) => [name, refer(part, schemas)]),
  )
  if (!isSchema) return inner
  schemas[title] = inner
  return { $ref: `#/components/schemas/${title}` }
}

const sorted = (schemas: Record<string, unknown>): Json =>
  Object.fromEntries(Object.entries(schemas).toSorted(([left], [right]) => (left < right ? -1 : 1)))
