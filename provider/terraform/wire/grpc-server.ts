/** The gRPC side: services from handlers, over connections that were already accepted. */
import type { Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import {
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type UntypedHandleCall,
  status,
} from '@grpc/grpc-js'
import { type AnswerOptions, answerCall } from './answer-call.ts'
import type { Lifetime } from './lifetime.ts'
import {
  ServingStatus,
  emptyMessage,
  healthCheckRequest,
  healthCheckResponse,
  stdioData,
} from './plugin-messages.ts'
import { type MessageType, decodeMessage, encodeMessage } from './protobuf.ts'
import { type ProviderMethodName, type UnaryMethod, isStream, providerMethods } from './services.ts'

/** A server that receives connections one by one. */
export const createGrpcServer = (options: AnswerOptions): ((connection: Duplex) => void) => {
  // A state has no size limit; Terraform sets none either.
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    'grpc.enable_channelz': 0,
  })
  addProvider(server, options)
  addController(server, options.lifetime)
  addStreams(server)
  addHealth(server)
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure())
  return (connection) => injector.injectConnection(connection)
}

const addProvider = (server: Server, options: AnswerOptions): void => {
  for (const name of Object.keys(providerMethods) as ProviderMethodName[]) {
    const answer = answerCall(name, options)
    // A call without a handler is not registered, and the library answers it with UNIMPLEMENTED.
    if (answer === undefined) continue
    const method = providerMethods[name] as unknown as UnaryMethod<object, object>
    const path = `/tfplugin6.Provider/${method.name}`
    if (isStream(name)) registerStream(server, path, method, answer as (request: object) => Promise<object[]>)
    else register(server, path, method, answer)
  }
}

const addController = (server: Server, lifetime: Lifetime): void => {
  const method = { request: emptyMessage, response: emptyMessage }
  register(server, '/plugin.GRPCController/Shutdown', method, async () => {
    lifetime.shutdown()
    return {}
  })
}

/** Keeps both streams open without data: there is no output to forward and no further stream to offer. */
const addStreams = (server: Server): void => {
  add(
    server,
    { ...definition('/plugin.GRPCStdio/StreamStdio', emptyMessage, stdioData), responseStream: true },
    () => undefined,
  )
  add(
    server,
    {
      ...definition('/plugin.GRPCBroker/StartStream', emptyMessage, emptyMessage),
      requestStream: true,
      responseStream: true,
    },
    (stream: Duplex) => {
      stream.on('end', () => stream.end())
      stream.resume()
    },
  )
}

/** The service name in health checks of plugins. */
const HEALTH_SERVICE = 'plugin'

const addHealth = (server: Server): void => {
  const method = { request: healthCheckRequest, response: healthCheckResponse }
  register(server, '/grpc.health.v1.Health/Check', method, async ({ service }) => {
    if (service !== '' && service !== HEALTH_SERVICE)
      throw Object.assign(new Error(`There is no service ${JSON.stringify(service)}.`), {
        code: status.NOT_FOUND,
      })
    return { status: ServingStatus.serving }
  })
}

interface RequestAndResponse<Q extends object, A extends object> {
  readonly request: MessageType<Q>
  readonly response: MessageType<A>
}

const register = <Q extends object, A extends object>(
  server: Server,
  path: string,
  { request, response }: RequestAndResponse<Q, A>,
  answer: (request: Q) => Promise<A>,
): void => {
  // The library turns an error into a status: its `code`, or unknown.
  add(
    server,
    definition(path, request, response),
    callbackify((call: { request: Q }) => answer(call.request)),
  )
}

/** All responses are known before the first is sent; the caller may be gone by then. */
const registerStream = <Q extends object, A extends object>(
  server: Server,
  path: string,
  { request, response }: RequestAndResponse<Q, A>,
  answer: (request: Q) => Promise<readonly A[]>,
): void => {
  add(
    server,
    { ...definition(path, request, response), responseStream: true },
    async (call: ServerWritableStream<Q, A>) => {
      for (const one of await answer(call.request)) if (!call.cancelled) call.write(one)
      call.end()
    },
  )
}

const add = (server: Server, method: MethodDefinition<unknown, unknown>, handle: unknown): void => {
  server.addService({ call: method }, { call: handle as UntypedHandleCall })
}

const definition = <Q extends object, A extends object>(
  path: string,
  request: MessageType<Q>,
  response: MessageType<A>,
): MethodDefinition<unknown, unknown> => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: (value) => encodeMessage(request, value as Q),
  requestDeserialize: (content) => decodeMessage(request, content),
  responseSerialize: (value) => encodeMessage(response, value as A),
  responseDeserialize: (content) => decodeMessage(response, content),
})
