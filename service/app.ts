import Fastify, { type FastifyInstance } from 'fastify'
import { Api, registerApi } from './api.ts'
import type { ControlParts } from './control/control-call.ts'
import { registerControl } from './control/control.ts'
import { ApiError } from './errors.ts'
import { createRefusal } from './http/broken-connection.ts'
import { commonHeaders } from './http/headers.ts'
import { hostRefusal } from './http/host-check.ts'
import { sendError } from './http/send.ts'
import { toApiError } from './http/to-api-error.ts'
import { originForm } from './target.ts'

/** The path at the end of the base URL. */
export const apiPrefix = '/api/public/v1.0'
export const controlPrefix = '/_control'

interface AppOptions extends ControlParts {
  /** Without a token there is no control interface. */
  readonly controlToken: string | undefined
  readonly allowAnyHost: boolean
  readonly closing: AbortSignal
}

const limits = {
  bodyLimit: 1024 * 1024,
  // A fixture part that is set through the control interface can be larger.
  controlBodyLimit: 64 * 1024 * 1024,
  headerSize: 16 * 1024,
  requestTimeout: 30_000,
  paramLength: 1024,
}

/** Serves the API and the control interface on one listener, with limits on all input. */
export const createApp = (options: AppOptions): FastifyInstance => {
  const { context } = options
  const api = new Api(options, apiPrefix)
  const refusal = createRefusal(() => context.clock.now())
  const app = Fastify({
    bodyLimit: limits.bodyLimit,
    requestTimeout: limits.requestTimeout,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    return503OnClosing: false,
    // Node's own refusal of a request without a Host header lacks our headers and body.
    http: {
      maxHeaderSize: limits.headerSize,
      headersTimeout: limits.requestTimeout,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: limits.paramLength },
    clientErrorHandler: refusal.refuse,
    rewriteUrl: ({ url = '/' }) => originForm(url),
    frameworkErrors: (error, request, reply) => {
      void reply.headers(commonHeaders(context.clock.now()))
      if (request.url.startsWith(`${apiPrefix}/`)) void api.refuse(request, reply, error)
      else sendError(reply, toApiError(error))
    },
  })
  refusal.watch(app.server)
  // Bodies stay bytes until the caller is known; each endpoint parses the JSON that it needs.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(commonHeaders(context.clock.now()))
    const refused = hostRefusal(request.raw, options.allowAnyHost)
    return refused && sendError(reply, refused)
  })
  app.setErrorHandler(async (error, _request, reply) => sendError(reply, toApiError(error)))
  app.setNotFoundHandler(async (_request, reply) =>
    sendError(reply, new ApiError(404, 'RESOURCE_NOT_FOUND', `The API is below ${apiPrefix}.`)),
  )
  void app.register(async (scope) => registerApi(scope, api, apiPrefix), { prefix: apiPrefix })
  addControl(app, options)
  return app
}

const addControl = (app: FastifyInstance, options: AppOptions): void => {
  const { controlToken } = options
  if (controlToken === undefined) return
  void app.register(
    async (control) => {
      control.addHook('onRoute', (route) => {
        route.bodyLimit = limits.controlBodyLimit
      })
      registerControl(control, options, controlToken)
    },
    { prefix: controlPrefix },
  )
}
