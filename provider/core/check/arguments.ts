import type { DataSourceDefinition } from '../data-source.ts'
import { pickBy, type Values } from '../values.ts'
import { isInstant, parseInstant } from '../instant.ts'
import { check } from './check.ts'
import { isAdvice, type Problem } from './problem.ts'

/**
 * What is wrong with the arguments of a data source. Null omits one; an open set accepts any word without a warning.
 */
export const checkArguments = (
  { arguments: fields, period }: DataSourceDefinition,
  given: Values,
): Problem[] => {
  const values = pickBy(given, (value) => value !== null)
  const problems = check({ is: 'object', fields }, values).filter((problem) => !isAdvice(problem))
  return [...problems, ...outOfOrder(period, values)]
}

/**
 * Arguments of which one has to be given where each plan reads the list again; undefined if that is so, or if the list
 * has a bound of its own.
 */
export const lackingBounds = (
  { bounds = [] }: DataSourceDefinition,
  isGiven: (name: string) => boolean,
): readonly string[] | undefined => (bounds.length === 0 || bounds.some(isGiven) ? undefined : bounds)

/** The service answers nothing for such a period, as if nothing had happened in it. */
const outOfOrder = (period: DataSourceDefinition['period'], values: Values): Problem[] => {
  if (period === undefined) return []
  const [from, to] = [values[period.from], values[period.to]]
  if (![from, to].every((each) => typeof each === 'string' && isInstant(each))) return []
  return parseInstant(String(to)) < parseInstant(String(from))
    ? [{ within: [period.to], code: 'out-of-order', facts: { value: String(to), from: String(from) } }]
    : []
}
