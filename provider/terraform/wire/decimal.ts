/**
 * Terraform's numbers are decimals of any size; JavaScript's are not. A JavaScript number stands for the
 * decimal that it prints as: `0.1` is exactly one tenth, as it is in a configuration and in the API's JSON.
 * Every other number (integers that a double rounds, long fractions) is a `Decimal`, so that none is changed
 * on its way through the provider.
 */

/** A number that no JavaScript number prints as; `text` is in plain notation. */
export class Decimal {
  readonly text: string

  constructor(text: string) {
    this.text = plainDecimal(text)
  }

  toString(): string {
    return this.text
  }

  /** The nearest JavaScript number, for comparisons of size. */
  valueOf(): number {
    return Number(this.text)
  }
}

/** A number as Terraform holds it. */
export type CtyNumber = number | Decimal

/** The number that a decimal text says, as a JavaScript number where that prints the same. */
export const numberFromText = (text: string): CtyNumber => {
  const plain = plainDecimal(text)
  const double = Number(plain)
  return Number.isFinite(double) && plainDecimal(String(double)) === plain ? double : new Decimal(plain)
}

/** The number that a binary float is exactly: some floats are no short decimal, and arrive from computations. */
export const numberFromDouble = (double: number): CtyNumber => {
  if (!Number.isFinite(double)) return double
  let scaled = double
  let halvings = 0
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    halvings += 1
  }
  if (halvings === 0) return numberFromText(BigInt(scaled).toString())
  // n / 2^k is n * 5^k / 10^k.
  const digits = (BigInt(scaled) * 5n ** BigInt(halvings)).toString()
  const [, sign = '', figures = ''] = /^(-?)(\d+)$/.exec(digits) ?? []
  const padded = figures.padStart(halvings + 1, '0')
  return numberFromText(`${sign}${padded.slice(0, -halvings)}.${padded.slice(-halvings)}`)
}

/** The text of a number in plain notation. */
export const numberToText = (number: CtyNumber): string =>
  number instanceof Decimal ? number.text : plainDecimal(String(number))

/** No text of a number is meant to be this long; an exponent beyond it would fill the memory. */
const MOST_DIGITS = 10_000

/** Without exponent, leading zeros and trailing zeros: texts of equal numbers are equal. */
const plainDecimal = (text: string): string => {
  const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (parts === null) throw new RangeError(`${JSON.stringify(text.slice(0, 40))} is not a decimal number.`)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const point = whole.length + Number(exponent)
  if (Math.abs(point) > MOST_DIGITS)
    throw new RangeError(`The number ${text.slice(0, 40)} is too large or small.`)
  const digits = whole + fraction
  const padded = point > 0 ? digits.padEnd(point, '0') : '0'.repeat(1 - point) + digits
  const cut = Math.max(point, 1)
  const before = padded.slice(0, cut).replace(/^0+(?=\d)/, '')
  const after = padded.slice(cut).replace(/0+$/, '')
  const plain = after === '' ? before : `${before}.${after}`
  return sign === '-' && plain !== '0' ? `-${plain}` : plain
}
