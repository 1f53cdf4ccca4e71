import { BlockList, isIP } from 'node:net'
import { ProxyError } from '../errors/proxy-error.ts'
import { isLoopback } from './base-url.ts'
import type { Environment } from './environment.ts'

/** The proxy through which an address is reached. */
export interface Proxy {
  /** The variable that names it. */
  readonly variable: string
  /** Host and port, for messages. */
  readonly host: string
  /** For an agent of Node: the address, with its user name and password. */
  readonly settings: { readonly HTTPS_PROXY: string } | { readonly HTTP_PROXY: string }
}

/**
 * The proxy that the environment names for an address, as other programs read it. This machine itself is reached
 * directly, and so is what NO_PROXY names.
 *
 * @throws ProxyError if it cannot be used
 */
export const proxyFor = (to: URL, env: Environment): Proxy | undefined => {
  const name = to.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const found = setting(env, name)
  const [, excepted = ''] = setting(env, 'NO_PROXY') ?? []
  if (found === undefined || isLoopback(to.hostname) || isExcepted(to, excepted)) return undefined
  const [variable, text] = found
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  // The text can hold a password.
  if (url === undefined) throw new ProxyError('it is not an address', { where: variable })
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ProxyError(`a proxy of the kind ${url.protocol}// is not supported`, { where: variable })
  const settings = name === 'HTTPS_PROXY' ? { HTTPS_PROXY: url.href } : { HTTP_PROXY: url.href }
  return { variable, host: url.host, settings }
}

/** A variable that is set, as it is spelt: in small letters, if both are there. */
const setting = (env: Environment, name: string): [spelt: string, value: string] | undefined => {
  for (const spelt of [name.toLowerCase(), name]) {
    const value = env[spelt]?.trim()
    if (value !== undefined && value !== '') return [spelt, value]
  }
  return undefined
}

const isExcepted = (to: URL, list: string): boolean =>
  list.split(/[\s,]+/v).some((entry) => entry === '*' || (entry !== '' && isWithin(to, entry.toLowerCase())))

/** `10.0.0.0/8`, an address, or a name with those below it; each of the last two with or without a port. */
const isWithin = ({ hostname, port, protocol }: URL, entry: string): boolean => {
  const host = hostname.replace(/^\[(?<inner>.*)\]$/v, '$<inner>')
  const { network, bits } = /^(?<network>[^\/]+)\/(?<bits>\d{1,3})$/v.exec(entry)?.groups ?? {}
  if (network !== undefined) return isInBlock(host, network, Number(bits))
  const bare = /^\[(?<inner>[^\]]+)\](?::(?<at>\d+))?$|^(?<name>[^:]+):(?<on>\d+)$/v.exec(entry)?.groups ?? {}
  const at = bare['at'] ?? bare['on']
  if (at !== undefined && at !== (port || (protocol === 'https:' ? '443' : '80'))) return false
  const name = (bare['inner'] ?? bare['name'] ?? entry).replace(/^\*?\./v, '')
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))
}

const isInBlock = (host: string, network: string, bits: number): boolean => {
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const block = new BlockList()
  block.addSubnet(network, bits, kind)
  return block.check(host, kind)
}
