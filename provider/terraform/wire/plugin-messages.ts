/** What every plugin serves besides its own protocol: shutdown, output, further streams, and health. */
import { bytes, enumeration, integer, message, string } from './protobuf.ts'

export const emptyMessage = message('Empty', {})

/** A piece of output; this provider sends none, because Terraform already reads its stderr. */
export const stdioData = message('StdioData', { channel: integer(1), data: bytes(2) })

export const healthCheckRequest = message('HealthCheckRequest', { service: string(1) })

export const ServingStatus = { unknown: 0, serving: 1, notServing: 2 } as const
export type ServingStatus = (typeof ServingStatus)[keyof typeof ServingStatus]

export const healthCheckResponse = message('HealthCheckResponse', { status: enumeration<ServingStatus>(1) })
