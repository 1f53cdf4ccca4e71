import { BlockList, isIP } from 'node:net'
import { ProxyError } from '../errors/proxy-error.ts'
import { isLoopback } from './base-url.ts'
import { decodes } from './decodes.ts'
import type { Environment } from './environment.ts'

/** The code of Node for a proxy that has made no connection. */
export const NO_TUNNEL = 'ERR_PROXY_TUNNEL'

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
  const { host, href } = addressIn(text, variable)
  return { variable, host, settings: name === 'HTTPS_PROXY' ? { HTTPS_PROXY: href } : { HTTP_PROXY: href } }
}

/** A variable that is set, as it is spelt: in small letters, if both are there. */
const setting = (env: Environment, name: string): [spelt: string, value: string] | undefined => {
  for (const spelt of [name.toLowerCase(), name]) {
    const value = env[spelt]?.trim()
    if (value !== undefined && value !== '') return [spelt, value]
  }
  return undefined
}

/** No message contains the text, because that can hold a password. */
const addressIn = (text: string, where: string): URL => {
  const address = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(address)) throw new ProxyError('it is not an address', { where })
  const url = new URL(address)
  // Node trusts other authorities for a connection to a proxy than for one to the service.
  if (url.protocol !== 'http:')
    throw new ProxyError(`a proxy of the kind ${url.protocol}// is not supported`, { where })
  // With a slash in the password, what comes before it would be taken for the host, and shown.
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new ProxyError(
      'it has more than a host and a port; in a password, write / as %2F, ? as %3F and # as %23',
      { where },
    )
  if (!decodes(url.username) || !decodes(url.password))
    throw new ProxyError('in a user name or a password, write % as %25', { where })
  return url
}

const isExcepted = (to: URL, list: string): boolean =>
  list.split(/[\s,]+/v).some((entry) => entry === '*' || (entry !== '' && isWithin(to, entry)))

/** `10.0.0.0/8`, an address, or a name with those below it; each of the last two with or without a port. */
const isWithin = (to: URL, entry: string): boolean => {
  const own = hostOf(to)
  const { network, bits } = /^\[?(?<network>[^\/\[\]]+)\]?\/(?<bits>\d{1,3})$/v.exec(entry)?.groups ?? {}
  if (network !== undefined) return isInBlock(own, network, Number(bits))
  const { host = '', port } =
    /^\*?\.?(?<host>\[[^\]]+\]|[^:]+)(?::(?<port>\d+))?$/v.exec(isIP(entry) === 6 ? `[${entry}]` : entry)
      ?.groups ?? {}
  if (!URL.canParse(`http://${host}`)) return false
  if (port !== undefined && port !== (to.port || (to.protocol === 'https:' ? '443' : '80'))) return false
  const name = hostOf(new URL(`http://${host}`))
  return own === name || (isIP(own) === 0 && own.endsWith(`.${name}`))
}

/** In the one spelling of a URL, without brackets and without the dot of the root. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(?<inner>.*)\]$|\.$/v, '$<inner>')

const isInBlock = (host: string, network: string, bits: number): boolean => {
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const block = new BlockList()
  block.addSubnet(network, bits, kind)
  return block.check(host, kind)
}
