import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** Where the state is has to be certain: another place holds another memory. */
export class StateAddressError extends DeploymgmtError {
  static override readonly code = 'DM-STATE-ADDRESS'
  static override readonly meaning =
    'It is not clear where the state is: its address is not understood, or a state of this manifest lies elsewhere.'
  static override readonly remedy =
    'Correct the address, given with --state, in DEPLOYMGMT_STATE or under `state` in the manifest.'
}
