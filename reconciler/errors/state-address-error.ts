import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** The place of the state is not certain, and another place holds another state. */
export class StateAddressError extends DeploymgmtError {
  static override readonly code = 'DM-STATE-ADDRESS'
  static override readonly meaning =
    'It is not clear where the state is: its address is not valid, or a state of this manifest exists in another place.'
  static override readonly remedy =
    'Correct the address, given with --state, in DEPLOYMGMT_STATE or under `state` in the manifest.'
}
