import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A state command names an address that does not exist, or is taken. */
export class AddressError extends DeploymgmtError {
  static override readonly code = 'DM-ADDRESS'
  static override readonly meaning = 'An address is not in the state, or is already taken.'
  static override readonly remedy = 'deploymgmt state list shows the addresses.'
}
