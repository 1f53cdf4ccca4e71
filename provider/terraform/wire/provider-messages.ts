/**
 * Requests and responses of `tfplugin6.Provider`. In a request every scalar is present, for absent and empty
 * are one on the wire; in a response what is left out is empty.
 */
import {
  type ClientCapabilities,
  type Diagnostic,
  type AttributePath,
  type DynamicValue,
  type RawState,
  type ServerCapabilities,
  attributePath,
  clientCapabilities,
  diagnostic,
  dynamicValue,
  rawState,
  serverCapabilities,
} from './common-messages.ts'
import {
  type Field,
  type MessageType,
  bytes,
  integer,
  mapOfMessages,
  nested,
  repeated,
  string,
} from './protobuf.ts'
import { type Schema, schema } from './schema-messages.ts'

/** A message without fields. */
export type Empty = Readonly<Record<string, never>>

const empty = (name: string): MessageType<Empty> => ({ name, fields: {} })

const value = (number: number): Field<DynamicValue> => nested(number, () => dynamicValue)
const diagnostics = (number: number): Field<Diagnostic[]> => repeated(number, () => diagnostic)
const capabilities = (number: number): Field<ClientCapabilities> => nested(number, () => clientCapabilities)
const schemas = (number: number): Field<Record<string, Schema>> => mapOfMessages(number, () => schema)

/** Every response that has room for diagnostics. */
export interface WithDiagnostics {
  diagnostics?: Diagnostic[] | undefined
}

interface TypeName {
  typeName: string
}

const typeName: MessageType<TypeName> = { name: 'TypeName', fields: { typeName: string(1) } }

export const getMetadataRequest = empty('GetMetadata.Request')

export interface GetMetadataResponse extends WithDiagnostics {
  serverCapabilities?: ServerCapabilities | undefined
  dataSources?: TypeName[] | undefined
  resources?: TypeName[] | undefined
}

export const getMetadataResponse: MessageType<GetMetadataResponse> = {
  name: 'GetMetadata.Response',
  fields: {
    serverCapabilities: nested(1, () => serverCapabilities),
    diagnostics: diagnostics(2),
    dataSources: repeated(3, () => typeName),
    resources: repeated(4, () => typeName),
  },
}

export const getProviderSchemaRequest = empty('GetProviderSchema.Request')

export interface GetProviderSchemaResponse extends WithDiagnostics {
  provider?: Schema | undefined
  resourceSchemas?: Record<string, Schema> | undefined
  dataSourceSchemas?: Record<string, Schema> | undefined
  providerMeta?: Schema | undefined
  serverCapabilities?: ServerCapabilities | undefined
}

export const getProviderSchemaResponse: MessageType<GetProviderSchemaResponse> = {
  name: 'GetProviderSchema.Response',
  fields: {
    provider: nested(1, () => schema),
    resourceSchemas: schemas(2),
    dataSourceSchemas: schemas(3),
    diagnostics: diagnostics(4),
    providerMeta: nested(5, () => schema),
    serverCapabilities: nested(6, () => serverCapabilities),
  },
}

export interface ValidateProviderConfigRequest {
  config?: DynamicValue | undefined
}

export const validateProviderConfigRequest: MessageType<ValidateProviderConfigRequest> = {
  name: 'ValidateProviderConfig.Request',
  fields: { config: value(1) },
}

export interface ValidateProviderConfigResponse extends WithDiagnostics {}

export const validateProviderConfigResponse: MessageType<ValidateProviderConfigResponse> = {
  name: 'ValidateProviderConfig.Response',
  fields: { diagnostics: diagnostics(2) },
}

export interface ConfigureProviderRequest {
  terraformVersion: string
  config?: DynamicValue | undefined
  clientCapabilities?: ClientCapabilities | undefined
}

export const configureProviderRequest: MessageType<ConfigureProviderRequest> = {
  name: 'ConfigureProvider.Request',
  fields: { terraformVersion: string(1), config: value(2), clientCapabilities: capabilities(3) },
}

export interface ConfigureProviderResponse extends WithDiagnostics {}

export const configureProviderResponse: MessageType<ConfigureProviderResponse> = {
  name: 'ConfigureProvider.Response',
  fields: { diagnostics: diagnostics(1) },
}

export const stopProviderRequest = empty('StopProvider.Request')

export interface StopProviderResponse {
  /** Why stopping failed; empty when it did not. */
  error?: string | undefined
}

export const stopProviderResponse: MessageType<StopProviderResponse> = {
  name: 'StopProvider.Response',
  fields: { error: string(1) },
}

/** What ValidateResourceConfig and ValidateDataResourceConfig are asked. */
export interface ValidateConfigRequest {
  typeName: string
  config?: DynamicValue | undefined
  clientCapabilities?: ClientCapabilities | undefined
}

export const validateConfigRequest: MessageType<ValidateConfigRequest> = {
  name: 'ValidateResourceConfig.Request',
  fields: { typeName: string(1), config: value(2), clientCapabilities: capabilities(3) },
}

export interface ValidateConfigResponse extends WithDiagnostics {}

export const validateConfigResponse: MessageType<ValidateConfigResponse> = {
  name: 'ValidateResourceConfig.Response',
  fields: { diagnostics: diagnostics(1) },
}

export interface UpgradeResourceStateRequest {
  typeName: string
  /** The schema version that the state was stored with. */
  version: number
  rawState?: RawState | undefined
}

export const upgradeResourceStateRequest: MessageType<UpgradeResourceStateRequest> = {
  name: 'UpgradeResourceState.Request',
  fields: { typeName: string(1), version: integer(2), rawState: nested(3, () => rawState) },
}

export interface UpgradeResourceStateResponse extends WithDiagnostics {
  upgradedState?: DynamicValue | undefined
}

export const upgradeResourceStateResponse: MessageType<UpgradeResourceStateResponse> = {
  name: 'UpgradeResourceState.Response',
  fields: { upgradedState: value(1), diagnostics: diagnostics(2) },
}

export interface ReadResourceRequest {
  typeName: string
  currentState?: DynamicValue | undefined
  private: Uint8Array
  providerMeta?: DynamicValue | undefined
  clientCapabilities?: ClientCapabilities | undefined
}

export const readResourceRequest: MessageType<ReadResourceRequest> = {
  name: 'ReadResource.Request',
  fields: {
    typeName: string(1),
    currentState: value(2),
    private: bytes(3),
    providerMeta: value(4),
    clientCapabilities: capabilities(5),
  },
}

export interface ReadResourceResponse extends WithDiagnostics {
  /** Null, or absent, says that the resource is gone. */
  newState?: DynamicValue | undefined
  private?: Uint8Array | undefined
}

export const readResourceResponse: MessageType<ReadResourceResponse> = {
  name: 'ReadResource.Response',
  fields: { newState: value(1), diagnostics: diagnostics(2), private: bytes(3) },
}

export interface PlanResourceChangeRequest {
  typeName: string
  priorState?: DynamicValue | undefined
  proposedNewState?: DynamicValue | undefined
  config?: DynamicValue | undefined
  priorPrivate: Uint8Array
  providerMeta?: DynamicValue | undefined
  clientCapabilities?: ClientCapabilities | undefined
}

export const planResourceChangeRequest: MessageType<PlanResourceChangeRequest> = {
  name: 'PlanResourceChange.Request',
  fields: {
    typeName: string(1),
    priorState: value(2),
    proposedNewState: value(3),
    config: value(4),
    priorPrivate: bytes(5),
    providerMeta: value(6),
    clientCapabilities: capabilities(7),
  },
}

export interface PlanResourceChangeResponse extends WithDiagnostics {
  plannedState?: DynamicValue | undefined
  requiresReplace?: AttributePath[] | undefined
  plannedPrivate?: Uint8Array | undefined
}

export const planResourceChangeResponse: MessageType<PlanResourceChangeResponse> = {
  name: 'PlanResourceChange.Response',
  fields: {
    plannedState: value(1),
    requiresReplace: repeated(2, () => attributePath),
    plannedPrivate: bytes(3),
    diagnostics: diagnostics(4),
  },
}

export interface ApplyResourceChangeRequest {
  typeName: string
  priorState?: DynamicValue | undefined
  plannedState?: DynamicValue | undefined
  config?: DynamicValue | undefined
  plannedPrivate: Uint8Array
  providerMeta?: DynamicValue | undefined
}

export const applyResourceChangeRequest: MessageType<ApplyResourceChangeRequest> = {
  name: 'ApplyResourceChange.Request',
  fields: {
    typeName: string(1),
    priorState: value(2),
    plannedState: value(3),
    config: value(4),
    plannedPrivate: bytes(5),
    providerMeta: value(6),
  },
}

export interface ApplyResourceChangeResponse extends WithDiagnostics {
  newState?: DynamicValue | undefined
  private?: Uint8Array | undefined
}

export const applyResourceChangeResponse: MessageType<ApplyResourceChangeResponse> = {
  name: 'ApplyResourceChange.Response',
  fields: { newState: value(1), private: bytes(2), diagnostics: diagnostics(3) },
}

export interface ImportResourceStateRequest {
  typeName: string
  id: string
  clientCapabilities?: ClientCapabilities | undefined
}

export const importResourceStateRequest: MessageType<ImportResourceStateRequest> = {
  name: 'ImportResourceState.Request',
  fields: { typeName: string(1), id: string(2), clientCapabilities: capabilities(3) },
}

export interface ImportedResource {
  typeName: string
  state?: DynamicValue | undefined
  private?: Uint8Array | undefined
}

const importedResource: MessageType<ImportedResource> = {
  name: 'ImportResourceState.ImportedResource',
  fields: { typeName: string(1), state: value(2), private: bytes(3) },
}

export interface ImportResourceStateResponse extends WithDiagnostics {
  importedResources?: ImportedResource[] | undefined
}

export const importResourceStateResponse: MessageType<ImportResourceStateResponse> = {
  name: 'ImportResourceState.Response',
  fields: { importedResources: repeated(1, () => importedResource), diagnostics: diagnostics(2) },
}

export interface ReadDataSourceRequest {
  typeName: string
  config?: DynamicValue | undefined
  providerMeta?: DynamicValue | undefined
  clientCapabilities?: ClientCapabilities | undefined
}

export const readDataSourceRequest: MessageType<ReadDataSourceRequest> = {
  name: 'ReadDataSource.Request',
  fields: {
    typeName: string(1),
    config: value(2),
    providerMeta: value(3),
    clientCapabilities: capabilities(4),
  },
}

export interface ReadDataSourceResponse extends WithDiagnostics {
  state?: DynamicValue | undefined
}

export const readDataSourceResponse: MessageType<ReadDataSourceResponse> = {
  name: 'ReadDataSource.Response',
  fields: { state: value(1), diagnostics: diagnostics(2) },
}

export const getFunctionsRequest = empty('GetFunctions.Request')

/** The provider has no functions: the map of them is left out, which is empty. */
export interface GetFunctionsResponse extends WithDiagnostics {}

export const getFunctionsResponse: MessageType<GetFunctionsResponse> = {
  name: 'GetFunctions.Response',
  fields: { diagnostics: diagnostics(2) },
}
