import { DeploymgmtError } from './deploymgmt-error.ts'

interface Met {
  readonly where: string | undefined
  readonly advice: string
  /** What it is called at the service, where that is told. */
  readonly name?: string
  /** The address whose record has that name. */
  readonly other?: string | undefined
}

/** A creation met a thing that exists already and that nothing here manages. */
export class AlreadyExistsError extends DeploymgmtError {
  static override readonly code = 'DM-ALREADY-EXISTS'
  static override readonly meaning = 'Something that was to be created already exists at the service.'
  static override readonly remedy = 'Adopt it: declare its id and the fields that adoption requires.'

  /** What the definition says to do, with its fields in braces: each door spells them in its own way. */
  readonly advice: string
  readonly #address: string
  readonly #met: Met

  constructor(address: string, { hint, ...met }: Met & { readonly hint?: string }) {
    const { name = '', other, where } = met
    const what = name === '' ? address : `${address}: ${name}`
    super(
      `${what} already exists at the service${other === undefined ? '' : `, and is recorded as ${other}`}`,
      {
        where,
        ...(hint === undefined ? {} : { hint }),
      },
    )
    this.advice = met.advice
    this.#address = address
    this.#met = met
  }

  /** The same with the advice as a door words it. */
  advised(hint: string): AlreadyExistsError {
    return new AlreadyExistsError(this.#address, { ...this.#met, hint })
  }
}
