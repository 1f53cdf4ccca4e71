import { DeploymgmtError } from './deploymgmt-error.ts'

/** An environment variable that a command cannot do without is not set. */
export class SettingMissingError extends DeploymgmtError {
  static override readonly code = 'DM-SETTING-MISSING'
  static override readonly meaning = 'A setting that the command needs is missing from the environment.'
  static override readonly remedy = 'Set the variable that the message names.'
}
