import { LONGEST } from '../tree/limits.ts'

const NUMBER = /^([-+]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i

/**
 * A number as Terraform turns it into text: with all of its digits, which an id needs, and without an exponent.
 * Undefined if the text is no number, or too long for one.
 */
export const numberText = (text: string): string | undefined => {
  if (text.length > LONGEST) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const shift = Number(exponent)
  if (whole === '' && fraction === '') return undefined
  if (Math.abs(shift) > LONGEST) return undefined
  const digits = whole + fraction
  const point = whole.length + shift
  const before = digits.slice(0, Math.max(point, 0)).padEnd(point, '0').replace(/^0+/, '')
  const after = (point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(point, 0))
  const rest = withoutZerosAtEnd(after)
  return `${sign === '-' ? '-' : ''}${before === '' ? '0' : before}${rest === '' ? '' : `.${rest}`}`
}

/** An expression for them would try each of many zeros that stand before another digit. */
const withoutZerosAtEnd = (digits: string): string => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Terraform also reads `1` and `0` as true and false. Undefined if the text is neither. */
export const booleanText = (text: string): 'true' | 'false' | undefined => {
  if (text === 'true' || text === '1') return 'true'
  return text === 'false' || text === '0' ? 'false' : undefined
}
