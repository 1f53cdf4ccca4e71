import { DeploymgmtError } from './deploymgmt-error.ts'

/** Plain http to an address that is not this machine. */
export class InsecureUrlError extends DeploymgmtError {
  static override readonly code = 'DM-INSECURE-URL'
  static override readonly meaning =
    'The base URL is plain http to another machine, so everything that is read and written could be seen and changed on the way.'
  static override readonly remedy = 'Use https, or give --allow-http where the network is trusted.'
}
