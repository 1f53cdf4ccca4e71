import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { hostName, isLoopback, isLoopbackAddress } from '../http/host-check.ts'
import { sendError, sendJson } from '../http/send.ts'
import { clockCalls } from './clock-calls.ts'
import { conditionCalls } from './condition-calls.ts'
import { type ControlCall, type ControlParts, readControlBody, toControlError } from './control-call.ts'
import { dumpCalls } from './dump-calls.ts'
import { faultCalls } from './fault-calls.ts'
import { invitationCalls } from './invitation-calls.ts'
import { projectCalls } from './project-calls.ts'
import { requestCalls } from './request-calls.ts'

/** All calls of the control interface. */
export const controlCalls: readonly ControlCall[] = [
  ...requestCalls,
  ...faultCalls,
  ...clockCalls,
  ...conditionCalls,
  ...dumpCalls,
  ...projectCalls,
  ...invitationCalls,
]

/** Registers the control interface: only on loopback, with the bearer token of the ready line, and not logged. */
export const registerControl = (app: FastifyInstance, parts: ControlParts, token: string): void => {
  app.addHook('onRequest', async (request, reply) => {
    const refusal = refuse(request, token)
    return refusal && sendError(reply, refusal)
  })
  app.setErrorHandler(async (error, _request, reply) => sendError(reply, toControlError(error)))
  app.setNotFoundHandler(async (_request, reply) =>
    sendError(reply, new ApiError(404, 'RESOURCE_NOT_FOUND', 'There is no such control call.')),
  )
  for (const call of controlCalls) {
    app.route({
      method: call.method,
      url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const body = call.body ? readControlBody(call.body, request) : undefined
        const answer = call.handle(parts, { params: request.params as Record<string, string>, body })
        return sendJson(reply, 200, answer ?? {})
      },
    })
  }
}

const refuse = (request: FastifyRequest, token: string): ApiError | undefined => {
  if (!isLoopbackAddress(request.ip) || !isLoopback(hostName(request.headers.host) ?? '')) {
    return new ApiError(403, 'LOOPBACK_ONLY', 'The control interface is only for this machine.')
  }
  const given = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (sameText(given, token)) return undefined
  return new ApiError(401, 'CONTROL_TOKEN', 'The bearer token of the ready line is required.', {
    headers: { 'www-authenticate': 'Bearer realm="control"' },
  })
}

/** Compares in constant time, regardless of lengths. */
const sameText = (left: string, right: string): boolean => timingSafeEqual(sha256(left), sha256(right))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
