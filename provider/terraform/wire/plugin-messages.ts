/** What every plugin serves besides its own protocol: being shut down, its output, further streams, its health. */
import type { Empty } from './provider-messages.ts'
import { type MessageType, bytes, enumeration, string } from './protobuf.ts'

export const emptyMessage: MessageType<Empty> = { name: 'Empty', fields: {} }

/** A piece of output; this provider sends none, since Terraform reads its stderr already. */
export interface StdioData {
  channel: number
  data: Uint8Array
}

export const stdioData: MessageType<StdioData> = {
  name: 'StdioData',
  fields: { channel: enumeration(1), data: bytes(2) },
}

export interface HealthCheckRequest {
  service: string
}

export const healthCheckRequest: MessageType<HealthCheckRequest> = {
  name: 'HealthCheckRequest',
  fields: { service: string(1) },
}

export const ServingStatus = { unknown: 0, serving: 1, notServing: 2 } as const
export type ServingStatus = (typeof ServingStatus)[keyof typeof ServingStatus]

export interface HealthCheckResponse {
  status: ServingStatus
}

export const healthCheckResponse: MessageType<HealthCheckResponse> = {
  name: 'HealthCheckResponse',
  fields: { status: enumeration<ServingStatus>(1) },
}
