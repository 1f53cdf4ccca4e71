import { type Static, Type } from 'typebox'
import { optional, record } from '../model/common.ts'

/** What a fault can do to a request. */
const faultNames = [
  'latency',
  'status',
  'reset-before',
  'reset-after',
  'truncate',
  'malformed',
  'wrong-type',
  'duplicate-keys',
  'huge',
  'stale-nonce',
  'shift-pages',
  'late-events',
  'lose-events',
] as const

/** The body of `POST /_control/faults`. */
export const FaultSpec = record({
  method: optional(Type.Enum(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'])),
  path: optional(Type.String({ maxLength: 1000 })),
  fault: Type.Enum([...faultNames]),
  /** latency: how long to wait; late-events: how much later they can be seen. */
  ms: optional(Type.Number({ minimum: 0, maximum: 86_400_000 })),
  status: optional(Type.Integer({ minimum: 200, maximum: 599 })),
  retryAfter: optional(
    Type.Unsafe<number | string>({ type: ['integer', 'string'], pattern: '^[ -~]{1,100}$' }),
  ),
  /** huge: the size of the body. */
  bytes: optional(Type.Integer({ minimum: 1, maximum: 256 * 1024 * 1024 })),
  /** shift-pages: by how many items the set has grown in front since the first page; less than 0 for shrunk. */
  shift: optional(Type.Integer({ minimum: -500, maximum: 500 })),
  count: optional(Type.Integer({ minimum: 1 })),
  probability: optional(Type.Number({ minimum: 0, maximum: 1 })),
  seed: optional(Type.Integer()),
})
export type FaultSpec = Static<typeof FaultSpec>
export type FaultName = FaultSpec['fault']
