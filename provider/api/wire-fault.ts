import { isObject } from '../core/values.ts'
import { printable } from './printable.ts'
import type { Proxy } from './proxy.ts'

/** How an exchange failed on the wire, before there was an answer. */
type FaultKind = 'unreachable' | 'tls' | 'deadline' | 'cut' | 'not-http' | 'too-large' | 'cancelled'

export interface Fault {
  readonly kind: FaultKind
  /** `ECONNRESET` and the like. */
  readonly code: string
  /** The message of the system or of the HTTP parser; never of the service. */
  readonly message: string
  /** Whether bytes of the request may have left this machine. */
  readonly sent: boolean
  /** The status of an answer that had begun. */
  readonly status: number | undefined
  /** What the exchange went through, or would have. */
  readonly proxy?: Proxy | undefined
}

/** Carries a fault through a promise. Never leaves this folder: it becomes an error with a code of ours. */
export class WireFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(`${fault.kind}: ${fault.code}`)
    this.fault = fault
  }
}

interface Circumstances {
  readonly sent: boolean
  readonly tooLarge: boolean
  readonly cancelled: boolean
  readonly proxy?: Proxy | undefined
}

const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|EPROTO)/v

/**
 * Classifies a failure. Only code and message of the library's error are kept: the rest contains the options of the
 * request, including headers and body.
 */
export const faultOf = (error: unknown, circumstances: Circumstances): Fault => {
  const { name, code, message, status } = readError(error)
  const kind = kindOf({ name, code, status }, circumstances)
  return { kind, code, message, sent: circumstances.sent, status, proxy: circumstances.proxy }
}

const kindOf = (
  error: { name: string; code: string; status: number | undefined },
  circumstances: Circumstances,
): FaultKind => {
  if (circumstances.tooLarge) return 'too-large'
  if (circumstances.cancelled) return 'cancelled'
  if (error.name === 'TimeoutError') return 'deadline'
  if (error.status !== undefined) return 'cut'
  if (error.code.startsWith('HPE_')) return 'not-http'
  if (tlsCode.test(error.code)) return 'tls'
  return 'unreachable'
}

/**
 * The one sentence of a message that is about the service: libraries add their source files and switches of Node.js.
 */
const plain = (message: string): string => {
  const [, ms] = /^Timeout awaiting '\w+' for (\d+)ms$/v.exec(message) ?? []
  if (ms !== undefined) return `more than ${Number(ms) / 1000} s`
  const [failed, answered] = /^Failed to establish tunnel\b(?:.*?: HTTP\/\S+ (.*))?/sv.exec(message) ?? []
  if (failed !== undefined) return `the proxy answered ${answered ?? 'what is no HTTP'}`
  const [, became] = /^Connection to establish proxy tunnel (.*)$/v.exec(message) ?? []
  if (became !== undefined) return `the connection to the proxy ${became}`
  return tlsReason(message).replace(/; if the root CA is installed locally.*$/sv, '')
}

/** `EPROTO 40…:error:0A00010B:SSL routines:FUNCTION:REASON:FILE:LINE:…`: only the reason is for people. */
const openssl = /\berror:[0-9A-F]+:[^:]*:[^:]*:(?<reason>[^:]+)/iv

/** The reason in a message of Node or OpenSSL, without details of their internals. */
const tlsReason = (message: string): string =>
  openssl.exec(message)?.groups?.['reason']?.trim() ?? message.trim()

const readError = (
  error: unknown,
): {
  name: string
  code: string
  message: string
  status: number | undefined
} => {
  const { name, code, message, response } = isObject(error) ? error : {}
  const status = isObject(response) ? response['statusCode'] : undefined
  return {
    name: typeof name === 'string' ? name : 'Error',
    code: typeof code === 'string' ? code : 'ERR_UNKNOWN',
    message: typeof message === 'string' ? printable(plain(message)) : 'unknown failure',
    status: typeof status === 'number' ? status : undefined,
  }
}
