import type { DataSourceDefinition } from '../data-source.ts'
import { pickBy, type Values } from '../values.ts'
import { check } from './check.ts'
import { isAdvice, type Problem } from './problem.ts'

/** What is wrong with the arguments of a data source. Null leaves one out; an open set takes any word in silence. */
export const checkArguments = ({ arguments: fields }: DataSourceDefinition, given: Values): Problem[] => {
  const values = pickBy(given, (value) => value !== null)
  return check({ is: 'object', fields }, values).filter((problem) => !isAdvice(problem))
}
