import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** A state command names an address that is not there, or is taken. */
export class AddressError extends DeploymgmtError {
  static readonly code = 'DM-ADDRESS'
  static readonly meaning = 'An address is not in the state, or is not free.'
  static readonly remedy = 'deploymgmt state list shows the addresses.'
  readonly code = AddressError.code
}
