import { DeploymgmtError } from './deploymgmt-error.ts'

/** A creation met a thing that exists already and that nothing here manages. */
export class AlreadyExistsError extends DeploymgmtError {
  static readonly code = 'DM-ALREADY-EXISTS'
  static readonly meaning = 'A thing that was to be created exists at the service already.'
  static readonly remedy = 'Adopt it: declare its id, and what adopting it needs.'
  readonly code = AlreadyExistsError.code

  /** The definition's advice, for doors that spell fields in their own way. */
  readonly advice: string

  constructor(
    address: string,
    { where, hint, advice }: { where: string | undefined; hint: string; advice: string },
  ) {
    super(`${address} exists at the service already`, { hint, ...(where === undefined ? {} : { where }) })
    this.advice = advice
  }
}
