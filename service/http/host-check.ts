import { isIP } from 'node:net'

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
