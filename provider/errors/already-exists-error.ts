import { DeploymgmtError } from './deploymgmt-error.ts'

/** A creation met a thing that exists already and that nothing here manages. */
export class AlreadyExistsError extends DeploymgmtError {
  static override readonly code = 'DM-ALREADY-EXISTS'
  static override readonly meaning = 'A thing that was to be created exists at the service already.'
  static override readonly remedy = 'Adopt it: declare its id, and what adopting it needs.'

  /** The definition's advice, for doors that spell fields in their own way. */
  readonly advice: string

  constructor(
    address: string,
    { where, hint, advice }: { where: string | undefined; hint: string; advice: string },
  ) {
    super(`${address} exists at the service already`, { hint, where })
    this.advice = advice
  }
}
