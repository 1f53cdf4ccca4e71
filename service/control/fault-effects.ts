import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Rendered } from '../http/answer.ts'
import type { EventFault } from '../http/endpoint.ts'
import type { FaultName, FaultSpec } from './fault-schema.ts'

const hugeBody = 40 * 1024 * 1024

/** The first fault with a name among those that affect a request. */
export const findFault = (met: readonly FaultSpec[], name: FaultName): FaultSpec | undefined =>
  met.find((spec) => spec.fault === name)

/**
 * Waits as long as the latency faults say, before anything is committed; returns whether the service still runs
 * then.
 */
export const applyLatency = async (met: readonly FaultSpec[], signal: AbortSignal): Promise<boolean> => {
  for (const spec of met) {
    if (spec.fault === 'latency') await sleep(spec.ms ?? 0, undefined, { signal }).catch(() => undefined)
  }
  return !signal.aborted
}

/** The effect of faults on the events of a write. */
export const eventFault = (met: readonly FaultSpec[]): EventFault => ({
  lost: findFault(met, 'lose-events') !== undefined,
  lateBy: findFault(met, 'late-events')?.ms ?? 0,
})

/** The body after faults; the status stays. Those that read JSON come before those after which it is none. */
export const spoilBody = (rendered: Rendered, met: readonly FaultSpec[]): Rendered => {
  const { body, contentType } = rendered
  if (!body) return rendered
  const isJson = contentType?.startsWith('application/json') === true
  const names: readonly FaultName[] = [
    ...(isJson ? (['wrong-type', 'duplicate-keys'] as const) : []),
    'malformed',
    'huge',
  ]
  return { ...rendered, body: names.flatMap((name) => findFault(met, name) ?? []).reduce(spoil, body) }
}

const spoil = (body: Buffer, spec: FaultSpec): Buffer => {
  switch (spec.fault) {
    case 'malformed':
      return Buffer.concat([body.subarray(0, Math.max(1, body.length - 2)), Buffer.from(' "}{')])
    case 'wrong-type':
      return Buffer.from(JSON.stringify(mistype(JSON.parse(body.toString()))))
    case 'duplicate-keys':
      return duplicateFirstKey(body.toString())
    case 'huge':
      // White space after the value: still valid JSON.
      return Buffer.concat([body, Buffer.alloc(spec.bytes ?? hugeBody, ' ')])
    default:
      return body
  }
}

/**
 * Valid JSON of a different shape: texts become numbers, numbers texts, arrays objects, and empty objects arrays.
 */
const mistype = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return { items: value.length }
  if (typeof value !== 'object' || value === null) return []
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mistype(part)]))
}

/** Repeats the first key of the outermost object with another value. */
const duplicateFirstKey = (text: string): Buffer => {
  const first = /^\{\s*("(?:[^"\\]|\\.)*")\s*:/.exec(text)
  return Buffer.from(first ? `{${first[1]}:"repeated",${text.slice(1)}` : text)
}

/** Sends half of a body with the full length, and resets the connection. */
export const sendTruncated = (reply: FastifyReply, rendered: Rendered, body: Buffer): void => {
  reply.hijack()
  const headers = {
    ...reply.getHeaders(),
    'content-type': rendered.contentType,
    'content-length': body.length,
  }
  reply.raw.writeHead(rendered.status, headers as Record<string, string | number>)
  reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () => reply.raw.socket?.destroy())
}

/** Resets the connection without an answer. */
export const reset = (reply: FastifyReply): void => {
  reply.hijack()
  reply.raw.socket?.resetAndDestroy()
}
