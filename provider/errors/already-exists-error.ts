import { DeploymgmtError } from './deploymgmt-error.ts'

/** A creation met a thing that exists already and that nothing here manages. */
export class AlreadyExistsError extends DeploymgmtError {
  static override readonly code = 'DM-ALREADY-EXISTS'
  static override readonly meaning = 'A thing that was to be created exists at the service already.'
  static override readonly remedy = 'Adopt it: declare its id, and what adopting it needs.'

  /** What the definition says to do, with its fields in braces: each door spells them in its own way. */
  readonly advice: string
  readonly #address: string

  constructor(
    address: string,
    { where, advice, hint }: { where: string | undefined; advice: string; hint?: string },
  ) {
    super(`${address} exists at the service already`, { where, ...(hint === undefined ? {} : { hint }) })
    this.advice = advice
    this.#address = address
  }

  /** The same with the advice as a door words it. */
  advised(hint: string): AlreadyExistsError {
    return new AlreadyExistsError(this.#address, { where: this.where, advice: this.advice, hint })
  }
}
