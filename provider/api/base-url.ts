import { BlockList, isIP } from 'node:net'
import { BaseUrlError } from '../errors/base-url-error.ts'
import { InsecureUrlError } from '../errors/insecure-url-error.ts'
import { printable } from './printable.ts'

const suffix = '/api/public/v1.0'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Checks a base URL and removes a trailing slash, and an empty query or fragment.
 * @throws BaseUrlError if it cannot be the API's; InsecureUrlError for plain http to another machine
 */
export const checkBaseUrl = (text: string, { allowHttp = false } = {}): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new BaseUrlError(`${quoted(text)} is not an http or https URL`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new BaseUrlError(`the base URL for ${url.host} holds credentials`)
  }
  if (url.search !== '' || url.hash !== '')
    throw new BaseUrlError(`${quoted(text)} has a query or a fragment`)
  // An empty one shows only in the text.
  url.search = ''
  url.hash = ''
  url.pathname = withoutSlash(url.pathname)
  if (!url.pathname.endsWith(suffix)) throw new BaseUrlError(`${quoted(text)} does not end with ${suffix}`)
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new InsecureUrlError(`${quoted(text)} is plain http to another machine`)
  }
  return url
}

/**
 * A base URL in the form in which two are compared: lower-case scheme and host, no default port, no trailing slash,
 * no credentials, query or fragment.
 */
export const normalizeBaseUrl = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) return baseUrl
  const url = new URL(baseUrl)
  return `${url.protocol}//${url.host}${withoutSlash(url.pathname)}`
}

const withoutSlash = (path: string): string => path.replace(/\/+$/v, '')

/** Whether a host, as in `URL.hostname`, is this machine. Names other than `localhost` are not looked up. */
export const isLoopback = (hostname: string): boolean => {
  const address = hostname.replace(/^\[(?<inner>.*)\]$/v, '$<inner>')
  const family = isIP(address)
  if (family === 0) return address === 'localhost'
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

// Text with an @ may contain a password, a query a token, and text that is nothing like an address may be a key.
const quoted = (text: string): string =>
  text.includes('@') || !/[.:/]/.test(text)
    ? 'the base URL'
    : `"${printable(text.replace(/[?#].*$/s, ''), 200)}"`
