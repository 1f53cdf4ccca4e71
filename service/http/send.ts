import type { FastifyReply } from 'fastify'
import { type ApiError, errorBody } from '../errors.ts'

/** Sends an answer outside of the API, which settings do not change. */
export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply
    .code(status)
    .header('content-type', 'application/json')
    .send(Buffer.from(JSON.stringify(body)))

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  sendJson(reply.headers(error.headers), error.status, errorBody(error, error.status))
