import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** An earlier request may or may not have taken effect; a person has to check. */
export class UnknownOutcomeError extends DeploymgmtError {
  static override readonly code = 'DM-UNKNOWN-OUTCOME'
  static override readonly meaning =
    'It is not known whether an earlier request took effect, and nothing proves it either way.'
  static override readonly remedy =
    'Run the command again at the time that the message names. After that time, check the events or the web interface, then run one of the commands that the message names.'

  override readonly exitCode = 3
}
