import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { endpoints } from './endpoints.ts'

const patterns = endpoints.flatMap((endpoint) =>
  [endpoint.path, endpoint.alias].flatMap((path) =>
    path === undefined
      ? []
      : [{ method: endpoint.method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }],
  ),
)

/** Why a request matched no endpoint: none with this path, or none with this method. */
export const unmatched = (request: FastifyRequest, prefix: string): ApiError => {
  const path = request.url.split('?')[0] ?? ''
  const methods = patterns
    .filter(({ pattern }) => pattern.test(path.slice(prefix.length)))
    .map(({ method }) => method)
  if (methods.length === 0) {
    return new ApiError(404, 'RESOURCE_NOT_FOUND', 'There is no resource with this path.', {
      parameters: [path.slice(0, 500)],
    })
  }
  return new ApiError(405, 'METHOD_NOT_ALLOWED', 'This resource does not support this method.', {
    parameters: [request.method],
    headers: { allow: [...new Set(methods)].join(', ') },
  })
}
