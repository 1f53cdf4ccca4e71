import { isIP } from 'node:net'

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1'])

/** Whether a name or address is this machine's own. */
export function isLoopback(host: string): boolean {
  return loopbackNames.has(host.toLowerCase()) || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Whether a connection comes from this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && isLoopback(plainAddress(address))
}

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The name in a Host header, without port and brackets. */
export function hostName(header: string | undefined): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(header ?? '')
  return match?.[1] ?? match?.[2]
}
