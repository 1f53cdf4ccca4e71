import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { ApiError } from '../errors.ts'

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1'])

/** Whether a name or address is this machine's own. */
export const isLoopback = (host: string): boolean =>
  loopbackNames.has(host.toLowerCase()) || (isIP(host) === 4 && host.startsWith('127.'))

/** Whether a connection comes from this machine. */
export const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && isLoopback(plainAddress(address))

/** An IPv4 address of an IPv6 socket, as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The name in a Host header, without port and brackets. */
export const hostName = (header: string | undefined): string | undefined => {
  const match = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return match?.[1] ?? match?.[2]
}

/** Why a request is refused for its Host headers (RFC 9112, 3.2), by default also one for another machine. */
export const hostRefusal = (
  { headers: { host }, httpVersion, rawHeaders }: IncomingMessage,
  allowAnyHost: boolean,
): ApiError | undefined => {
  // HTTP 1.0 has no such header. No web page of another machine makes a browser leave it out.
  if (host === undefined && httpVersion === '1.0') return undefined
  // Of several Host headers, `headers` has the first.
  if (host === undefined || rawHeaders.filter(isHostHeader).length > 1)
    return new ApiError(400, 'BAD_REQUEST', 'A request has one Host header.')
  if (allowAnyHost || isLoopback(hostName(host) ?? '')) return undefined
  return new ApiError(421, 'MISDIRECTED_REQUEST', 'The Host header does not name this machine.')
}

/** Names and values take turns in raw headers. */
const isHostHeader = (text: string, index: number): boolean => index % 2 === 0 && /^host$/i.test(text)
