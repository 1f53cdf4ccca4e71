/** The calls of `tfplugin6.Provider`, each once, and the handlers that a provider gives for them. */
import * as messages from './provider-messages.ts'
import type { MessageType } from './protobuf.ts'

/** A call with one request and one response. */
export interface UnaryMethod<Q extends object, A extends object> {
  /** As in the protocol; part of its path. */
  readonly name: string
  readonly request: MessageType<Q>
  readonly response: MessageType<A>
  /** What Terraform asks for by it, for messages: `plan the change`. */
  readonly purpose: string
}

const unary = <Q extends object, A extends object>(
  name: string,
  purpose: string,
  request: MessageType<Q>,
  response: MessageType<A>,
): UnaryMethod<Q, A> => ({ name, purpose, request, response })

/** What is not listed (functions called, ephemeral resources, moves, identities) is answered with UNIMPLEMENTED. */
export const providerMethods = {
  getMetadata: unary(
    'GetMetadata',
    'list what it serves',
    messages.getMetadataRequest,
    messages.getMetadataResponse,
  ),
  getProviderSchema: unary(
    'GetProviderSchema',
    'describe its schema',
    messages.getProviderSchemaRequest,
    messages.getProviderSchemaResponse,
  ),
  validateProviderConfig: unary(
    'ValidateProviderConfig',
    'validate its configuration',
    messages.validateProviderConfigRequest,
    messages.validateProviderConfigResponse,
  ),
  configureProvider: unary(
    'ConfigureProvider',
    'be configured',
    messages.configureProviderRequest,
    messages.configureProviderResponse,
  ),
  stopProvider: unary('StopProvider', 'stop', messages.stopProviderRequest, messages.stopProviderResponse),
  validateResourceConfig: unary(
    'ValidateResourceConfig',
    'validate a resource',
    messages.validateConfigRequest,
    messages.validateConfigResponse,
  ),
  upgradeResourceState: unary(
    'UpgradeResourceState',
    'upgrade stored state',
    messages.upgradeResourceStateRequest,
    messages.upgradeResourceStateResponse,
  ),
  readResource: unary(
    'ReadResource',
    'read a resource',
    messages.readResourceRequest,
    messages.readResourceResponse,
  ),
  planResourceChange: unary(
    'PlanResourceChange',
    'plan a change',
    messages.planResourceChangeRequest,
    messages.planResourceChangeResponse,
  ),
  applyResourceChange: unary(
    'ApplyResourceChange',
    'apply a change',
    messages.applyResourceChangeRequest,
    messages.applyResourceChangeResponse,
  ),
  importResourceState: unary(
    'ImportResourceState',
    'import a resource',
    messages.importResourceStateRequest,
    messages.importResourceStateResponse,
  ),
  validateDataResourceConfig: unary(
    'ValidateDataResourceConfig',
    'validate a data source',
    messages.validateConfigRequest,
    messages.validateConfigResponse,
  ),
  readDataSource: unary(
    'ReadDataSource',
    'read a data source',
    messages.readDataSourceRequest,
    messages.readDataSourceResponse,
  ),
  getFunctions: unary(
    'GetFunctions',
    'list its functions',
    messages.getFunctionsRequest,
    messages.getFunctionsResponse,
  ),
} as const

export type ProviderMethods = typeof providerMethods
export type ProviderMethodName = keyof ProviderMethods
export type RequestOf<N extends ProviderMethodName> =
  ProviderMethods[N] extends UnaryMethod<infer Q, infer _A> ? Q : never
export type ResponseOf<N extends ProviderMethodName> =
  ProviderMethods[N] extends UnaryMethod<infer _Q, infer A> ? A : never

/** What a handler may need besides its request. */
export interface Call {
  /** Aborted when Terraform asks to stop, or is gone: send nothing new, finish what was sent. */
  readonly signal: AbortSignal
}

/**
 * One function a call. A call without its function is answered with UNIMPLEMENTED, but for these: stopping is
 * always possible, and the list of functions is empty. What a function throws becomes an error diagnostic.
 */
export type ProviderHandlers = {
  readonly [N in ProviderMethodName]?: (
    request: RequestOf<N>,
    call: Call,
  ) => Promise<ResponseOf<N>> | ResponseOf<N>
}
