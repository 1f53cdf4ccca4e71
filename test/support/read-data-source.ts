import type { DataSourceDefinition, Shape, Values } from '@deploymgmt/provider/core'
import { readDataSource as read, type Reader } from '@deploymgmt/provider/engine'

/** Reads a data source, in the words of a door that says no more than the code. */
export const readDataSource = <S extends Shape>(
  client: Reader,
  definition: DataSourceDefinition<S>,
  given: Values,
) =>
  read(client, definition, given, {
    says: ({ within, code }) => `${String(within[0])}: ${code}`,
    hint: 'Compare with the code.',
  })
