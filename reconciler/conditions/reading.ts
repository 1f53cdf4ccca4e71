import type { DataSourceDefinition, Shape, Values } from '@deploymgmt/provider/core'
import type { Problem } from '@deploymgmt/provider/core/check'
import { readDataSource, type Reader, type Reading } from '@deploymgmt/provider/engine'
import { ArgumentError, type ArgumentWords } from '@deploymgmt/provider/errors'

/** Reads a data source with valid arguments. */
export const readValid = <S extends Shape>(
  client: Reader,
  definition: DataSourceDefinition<S>,
  given: Values,
): Promise<Reading<S>> => readDataSource(client, definition, given, WORDS)

const WORDS: ArgumentWords<Problem> = {
  says: ({ within }) => `${String(within[0])} cannot be used`,
  hint: ArgumentError.remedy,
}

/** The non-empty texts among some values. */
export const textsAmong = (...values: readonly unknown[]): string[] =>
  values.filter((each) => typeof each === 'string').filter((each) => each !== '')
