import { DeploymgmtError } from './deploymgmt-error.ts'

/** An environment variable that a command cannot do without is not set. */
export class SettingMissingError extends DeploymgmtError {
  static readonly code = 'DM-SETTING-MISSING'
  static readonly meaning = 'A setting that the command needs is not in the environment.'
  static readonly remedy = 'Set the variable that the message names.'
  readonly code = SettingMissingError.code
}
