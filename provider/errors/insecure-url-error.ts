import { DeploymgmtError } from './deploymgmt-error.ts'

/** Plain http to an address that is not this machine. */
export class InsecureUrlError extends DeploymgmtError {
  static override readonly code = 'DM-INSECURE-URL'
  static override readonly meaning =
    'The base URL uses plain http to another machine, so others could see and change all traffic on the way.'
  static override readonly remedy = 'Use https, or give --allow-http if you trust the network.'
}
