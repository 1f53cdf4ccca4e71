import { type Static, Type } from 'typebox'
import { optional, record } from '../model/common.ts'

/** What a kind of fault does to a request, and which requests it can meet. */
interface FaultKind {
  readonly does: string
  /** Its specific fields. */
  readonly fields: string
  readonly example: Readonly<Record<string, unknown>>
  /** The field without which it says nothing. */
  readonly needs?: 'ms' | 'status'
  /** The only requests on which it has an effect. */
  readonly meets?: 'later pages' | 'writes'
}

/** All kinds of faults. */
const kinds = {
  latency: {
    does: 'The request waits before anything of it is committed.',
    fields: '`ms`: how long, up to 86400000; required',
    needs: 'ms',
    example: { fault: 'latency', ms: 20, count: 5, method: 'POST', path: '^/users' },
  },
  status: {
    does: 'The request is answered with an error and not carried out.',
    fields:
      '`status`: 200 to 599; required. `retryAfter`: the value of the `Retry-After` header, seconds or a date',
    needs: 'status',
    example: { fault: 'status', status: 503, retryAfter: 2, count: 1 },
  },
  'reset-before': {
    does: 'The connection is reset before the request is carried out.',
    fields: '',
    example: { fault: 'reset-before', count: 1, method: 'POST' },
  },
  'reset-after': {
    does: 'The request is carried out, and the connection reset before the answer: its outcome is lost.',
    fields: '',
    example: { fault: 'reset-after', count: 1, method: 'POST', path: '/maintenanceWindows' },
  },
  truncate: {
    does: 'Half of the body is sent under its full length, then the connection is reset.',
    fields: '',
    example: { fault: 'truncate', count: 1, method: 'GET' },
  },
  malformed: {
    does: 'The body is not valid JSON.',
    fields: '',
    example: { fault: 'malformed', count: 1 },
  },
  'wrong-type': {
    does: 'The body is valid JSON of another shape: texts are numbers, numbers texts, lists objects.',
    fields: '',
    example: { fault: 'wrong-type', count: 1, path: '/alertConfigs' },
  },
  'duplicate-keys': {
    does: 'The first key of the body appears in it twice.',
    fields: '',
    example: { fault: 'duplicate-keys', count: 1 },
  },
  huge: {
    does: 'The body is followed by blanks.',
    fields: '`bytes`: how many, up to 268435456; default 41943040',
    example: { fault: 'huge', bytes: 50_000_000, count: 1 },
  },
  'stale-nonce': {
    does: 'The answer is 401 with a new nonce and stale=true; nothing is carried out.',
    fields: '',
    example: { fault: 'stale-nonce', count: 1 },
  },
  'shift-pages': {
    does: 'A list has grown in front since its first page was read. Meets only later pages.',
    fields: '`shift`: by how many items, -500 to 500, negative if the list has shrunk; default 1',
    meets: 'later pages',
    example: { fault: 'shift-pages', shift: -1, count: 1 },
  },
  'late-events': {
    does: 'The events of a write can be read later than usual. Meets only writes.',
    fields: '`ms`: how much later, up to 86400000; required',
    needs: 'ms',
    meets: 'writes',
    example: { fault: 'late-events', ms: 60_000, count: 1 },
  },
  'lose-events': {
    does: 'A write leaves no events. Meets only writes.',
    fields: '',
    meets: 'writes',
    example: { fault: 'lose-events', probability: 0.5, seed: 7 },
  },
} as const satisfies Record<string, FaultKind>

export const faultKinds: Readonly<Record<keyof typeof kinds, FaultKind>> = kinds

const faultNames = Object.keys(kinds) as (keyof typeof kinds)[]

/** The body of `POST /_control/faults`. */
export const FaultSpec = record({
  method: optional(Type.Enum(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'])),
  path: optional(Type.String({ maxLength: 1000 })),
  fault: Type.Enum([...faultNames]),
  /** latency: how long to wait; late-events: by how much events are delayed. */
  ms: optional(Type.Number({ minimum: 0, maximum: 86_400_000 })),
  status: optional(Type.Integer({ minimum: 200, maximum: 599 })),
  retryAfter: optional(
    Type.Unsafe<number | string>({ type: ['integer', 'string'], pattern: '^[ -~]{1,100}$' }),
  ),
  /** huge: the size of the body. */
  bytes: optional(Type.Integer({ minimum: 1, maximum: 256 * 1024 * 1024 })),
  /** shift-pages: the number of items added before the first page since it was read; negative if removed. */
  shift: optional(Type.Integer({ minimum: -500, maximum: 500 })),
  count: optional(Type.Integer({ minimum: 1 })),
  probability: optional(Type.Number({ minimum: 0, maximum: 1 })),
  seed: optional(Type.Integer()),
})
export type FaultSpec = Static<typeof FaultSpec>
export type FaultName = FaultSpec['fault']
