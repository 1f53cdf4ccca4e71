import { number } from './number.ts'

const FEW = 3

/** A few names, and how many more there are. */
export const few = (names: readonly string[]): string => {
  const more = names.length - FEW
  return `${names.slice(0, FEW).join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`
}
