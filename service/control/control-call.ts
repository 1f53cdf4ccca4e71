import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { FixtureProblem, checkShape } from '../fixture/problems.ts'
import { parseJson } from '../http/body.ts'
import { toApiError } from '../http/to-api-error.ts'
import type { Faults } from './faults.ts'
import type { RequestLog } from './request-log.ts'

/** The inputs of the control interface. */
export interface ControlParts {
  readonly context: Context
  readonly log: RequestLog
  readonly faults: Faults
}

/** The documentation of a call: example bodies, and an answer. */
interface CallDocs {
  readonly bodies?: readonly unknown[]
  /** Values are examples, or words in place of something too long to show. */
  readonly answer: unknown
  readonly note?: string
}

/** One call of the control interface: its answer is sent as JSON, undefined as an empty object. */
export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below `/_control`. */
  readonly path: string
  readonly summary: string
  readonly docs: CallDocs
  readonly body?: TSchema
  readonly handle: (
    parts: ControlParts,
    request: { params: Record<string, string>; body: unknown },
  ) => unknown
}

/** Checks the body of a control call like a fixture: errors name the path in it. */
export const readControlBody = (schema: TSchema, request: FastifyRequest): unknown => {
  const body = parseJson(request.body)
  checkShape(schema, body)
  return body
}

/** Converts any thrown value to an error answer of the control interface. */
export const toControlError = (thrown: unknown): ApiError =>
  thrown instanceof FixtureProblem
    ? new ApiError(400, 'INVALID_ATTRIBUTE', `${thrown.path}: ${thrown.message}`, {
        parameters: [thrown.path],
      })
    : toApiError(thrown)
