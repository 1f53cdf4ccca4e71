import { DeploymgmtError } from './deploymgmt-error.ts'

/** What the environment names as a proxy cannot be used as one. */
export class ProxyError extends DeploymgmtError {
  static override readonly code = 'DM-PROXY'
  static override readonly meaning = 'HTTPS_PROXY or HTTP_PROXY does not hold the address of an HTTP proxy.'
  static override readonly remedy =
    'Write it as http://HOST:PORT, unset it, or name the host that is to be reached in NO_PROXY to connect directly.'
}
