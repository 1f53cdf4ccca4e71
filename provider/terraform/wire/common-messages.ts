/** What the messages of plugin protocol 6 share: values, diagnostics, paths and capabilities. */
import {
  type MessageType,
  type Of,
  bool,
  bytes,
  enumeration,
  message,
  nested,
  repeated,
  string,
} from './protobuf.ts'

/** A value of Terraform's type system in one of two encodings. Both empty means null. */
export interface DynamicValue {
  msgpack?: Uint8Array | undefined
  json?: Uint8Array | undefined
}

export const dynamicValue: MessageType<DynamicValue> = {
  name: 'DynamicValue',
  fields: { msgpack: bytes(1), json: bytes(2) },
}

/** A resource's state as it was stored, perhaps by an older version of the provider. */
export type RawState = Of<typeof rawState>

/** Terraform before 0.12 stored flat strings in another field; no state of this provider is that old. */
export const rawState = message('RawState', { json: bytes(1) })

/** One step of a path. Steps into lists and maps are left out: problems are reported at an attribute of the whole. */
const attributePathStep = message('AttributePath.Step', { attributeName: string(1) })

/** A path within a configuration or state. */
export type AttributePath = Of<typeof attributePath>

export const attributePath = message('AttributePath', { steps: repeated(1, () => attributePathStep) })

export const Severity = { invalid: 0, error: 1, warning: 2 } as const
export type Severity = (typeof Severity)[keyof typeof Severity]

/** An error or a warning that Terraform shows, at an attribute if one is named. */
export interface DiagnosticMessage {
  severity: Severity
  summary: string
  detail?: string | undefined
  attribute?: AttributePath | undefined
}

export const diagnostic: MessageType<DiagnosticMessage> = {
  name: 'Diagnostic',
  fields: {
    severity: enumeration<Severity>(1),
    summary: string(2),
    detail: string(3),
    attribute: nested(4, () => attributePath),
  },
}

/** What the provider can do beyond protocol 6.0. */
export const serverCapabilities = message('ServerCapabilities', {
  /** PlanResourceChange is also called for a destroy, so that it can warn. */
  planDestroy: bool(1),
  /** Terraform may use a cached schema instead of asking for it in every process. */
  getProviderSchemaOptional: bool(2),
})

/** What the calling Terraform can do beyond protocol 6.0; write-only attributes need Terraform 1.11. */
export const clientCapabilities = message('ClientCapabilities', {
  deferralAllowed: bool(1),
  writeOnlyAttributesAllowed: bool(2),
})
