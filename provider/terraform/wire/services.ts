/**
 * The calls of `tfplugin6.Provider`, and the handlers that a provider gives for them. In a request every scalar is
 * present, because absent and empty are the same on the wire; in a response, an omitted field is empty.
 */
import {
  attributePath,
  clientCapabilities,
  diagnostic,
  dynamicValue,
  rawState,
  serverCapabilities,
} from './common-messages.ts'
import {
  type FieldTable,
  type MessageOf,
  type MessageType,
  bool,
  bytes,
  integer,
  mapOfMessages,
  message,
  nested,
  repeated,
  string,
} from './protobuf.ts'
import { identityData, identitySchema } from './identity-messages.ts'
import { schema } from './schema-messages.ts'

/** A call with one request and one response. */
export interface UnaryMethod<Q extends object, A extends object> {
  /** As in the protocol; part of its path. */
  readonly name: string
  readonly request: MessageType<Q>
  readonly response: MessageType<A>
  /** The purpose of the call, for messages: `plan the change`. */
  readonly purpose: string
}

const unary = <Q extends FieldTable, A extends FieldTable>(
  name: string,
  purpose: string,
  request: Q,
  response: A,
): UnaryMethod<MessageOf<Q>, MessageOf<A>> => ({
  name,
  purpose,
  request: message(`${name}.Request`, request),
  response: message(`${name}.Response`, response),
})

const value = (number: number) => nested(number, () => dynamicValue)
const diagnostics = (number: number) => repeated(number, () => diagnostic)
const capabilities = (number: number) => nested(number, () => clientCapabilities)
const identity = (number: number) => nested(number, () => identityData)
const schemas = (number: number) => mapOfMessages(number, () => schema)

const typeName = message('TypeName', { typeName: string(1) })
const importedResource = message('ImportResourceState.ImportedResource', {
  typeName: string(1),
  state: value(2),
  private: bytes(3),
  identity: identity(4),
})

/** The request fields of ValidateResourceConfig and ValidateDataResourceConfig. */
const typeAndConfig = { typeName: string(1), config: value(2) }

/**
 * Calls that are not listed (functions called, ephemeral resources, moves, actions, state stores) are answered with
 * UNIMPLEMENTED.
 */
export const providerMethods = {
  getMetadata: unary(
    'GetMetadata',
    'list what it serves',
    {},
    {
      serverCapabilities: nested(1, () => serverCapabilities),
      diagnostics: diagnostics(2),
      dataSources: repeated(3, () => typeName),
      resources: repeated(4, () => typeName),
      listResources: repeated(7, () => typeName),
    },
  ),
  getProviderSchema: unary(
    'GetProviderSchema',
    'describe its schema',
    {},
    {
      provider: nested(1, () => schema),
      resourceSchemas: schemas(2),
      dataSourceSchemas: schemas(3),
      diagnostics: diagnostics(4),
      providerMeta: nested(5, () => schema),
      serverCapabilities: nested(6, () => serverCapabilities),
      listResourceSchemas: schemas(9),
    },
  ),
  validateProviderConfig: unary(
    'ValidateProviderConfig',
    'validate its configuration',
    { config: value(1) },
    { diagnostics: diagnostics(2) },
  ),
  configureProvider: unary(
    'ConfigureProvider',
    'be configured',
    { terraformVersion: string(1), config: value(2), clientCapabilities: capabilities(3) },
    { diagnostics: diagnostics(1) },
  ),
  /** `error` says why stopping failed; empty if it did not. */
  stopProvider: unary('StopProvider', 'stop', {}, { error: string(1) }),
  validateResourceConfig: unary(
    'ValidateResourceConfig',
    'validate a resource',
    { ...typeAndConfig, clientCapabilities: capabilities(3) },
    { diagnostics: diagnostics(1) },
  ),
  /** `version` is the schema version with which the state was stored. */
  upgradeResourceState: unary(
    'UpgradeResourceState',
    'upgrade stored state',
    { typeName: string(1), version: integer(2), rawState: nested(3, () => rawState) },
    { upgradedState: value(1), diagnostics: diagnostics(2) },
  ),
  /** Since protocol 6.9. */
  getResourceIdentitySchemas: unary(
    'GetResourceIdentitySchemas',
    'say what names its resources',
    {},
    { identitySchemas: mapOfMessages(1, () => identitySchema), diagnostics: diagnostics(2) },
  ),
  /** `version` is the version of the identity schema with which the identity was stored. */
  upgradeResourceIdentity: unary(
    'UpgradeResourceIdentity',
    'upgrade a stored identity',
    { typeName: string(1), version: integer(2), rawIdentity: nested(3, () => rawState) },
    { upgradedIdentity: identity(1), diagnostics: diagnostics(2) },
  ),
  /** A `newState` that is null or absent means that the resource is gone. */
  readResource: unary(
    'ReadResource',
    'read a resource',
    {
      typeName: string(1),
      currentState: value(2),
      private: bytes(3),
      providerMeta: value(4),
      clientCapabilities: capabilities(5),
      currentIdentity: identity(6),
    },
    { newState: value(1), diagnostics: diagnostics(2), private: bytes(3), newIdentity: identity(5) },
  ),
  planResourceChange: unary(
    'PlanResourceChange',
    'plan a change',
    {
      typeName: string(1),
      priorState: value(2),
      proposedNewState: value(3),
      config: value(4),
      priorPrivate: bytes(5),
      providerMeta: value(6),
      clientCapabilities: capabilities(7),
      priorIdentity: identity(8),
    },
    {
      plannedState: value(1),
      requiresReplace: repeated(2, () => attributePath),
      plannedPrivate: bytes(3),
      diagnostics: diagnostics(4),
      plannedIdentity: identity(7),
    },
  ),
  applyResourceChange: unary(
    'ApplyResourceChange',
    'apply a change',
    {
      typeName: string(1),
      priorState: value(2),
      plannedState: value(3),
      config: value(4),
      plannedPrivate: bytes(5),
      providerMeta: value(6),
      plannedIdentity: identity(7),
    },
    { newState: value(1), private: bytes(2), diagnostics: diagnostics(3), newIdentity: identity(5) },
  ),
  importResourceState: unary(
    'ImportResourceState',
    'import a resource',
    { typeName: string(1), id: string(2), clientCapabilities: capabilities(3), identity: identity(4) },
    { importedResources: repeated(1, () => importedResource), diagnostics: diagnostics(2) },
  ),
  validateDataResourceConfig: unary('ValidateDataResourceConfig', 'validate a data source', typeAndConfig, {
    diagnostics: diagnostics(1),
  }),
  readDataSource: unary(
    'ReadDataSource',
    'read a data source',
    { typeName: string(1), config: value(2), providerMeta: value(3), clientCapabilities: capabilities(4) },
    { state: value(1), diagnostics: diagnostics(2) },
  ),
  /** Since protocol 6.10. */
  validateListResourceConfig: unary(
    'ValidateListResourceConfig',
    'validate a query',
    { typeName: string(1), config: value(2), includeResourceObject: value(3), limit: value(4) },
    { diagnostics: diagnostics(1) },
  ),
  /** Answered with a stream of one event for each thing; a `limit` of 0 means no limit. */
  listResource: unary(
    'ListResource',
    'list resources',
    { typeName: string(1), config: value(2), includeResourceObject: bool(3), limit: integer(4) },
    { identity: identity(1), displayName: string(2), resourceObject: value(3), diagnostic: diagnostics(4) },
  ),
  /** The provider has no functions: their map is omitted, which means empty. */
  getFunctions: unary('GetFunctions', 'list its functions', {}, { diagnostics: diagnostics(2) }),
} as const

type ProviderMethods = typeof providerMethods
export type ProviderMethodName = keyof ProviderMethods
export type RequestOf<N extends ProviderMethodName> =
  ProviderMethods[N] extends UnaryMethod<infer Q, infer _A> ? Q : never
export type ResponseOf<N extends ProviderMethodName> =
  ProviderMethods[N] extends UnaryMethod<infer _Q, infer A> ? Partial<A> : never

/** Calls that are answered with a stream of responses. */
export type StreamName = 'listResource'
export const isStream = (name: ProviderMethodName): name is StreamName => name === 'listResource'

/** What a handler returns: one response, or all responses of a stream. */
type AnswerOf<N extends ProviderMethodName> = N extends StreamName ? readonly ResponseOf<N>[] : ResponseOf<N>

/** What a handler may need besides its request. */
export interface Call {
  /** Aborted when Terraform asks to stop, or is gone: send nothing new, finish what was sent. */
  readonly signal: AbortSignal
}

/**
 * One handler for each call. A call without one is answered with UNIMPLEMENTED, with two exceptions: stopping is
 * always possible, and the list of functions is empty. Errors thrown by a handler become diagnostics.
 */
export type ProviderHandlers = {
  readonly [N in ProviderMethodName]?: (
    request: RequestOf<N>,
    call: Call,
  ) => Promise<AnswerOf<N>> | AnswerOf<N>
}
