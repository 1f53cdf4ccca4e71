import type { DataSourceDefinition, Shape, Values } from '@deploymgmt/provider/core'
import { readDataSource as read, type Reader } from '@deploymgmt/provider/engine'

/** Reads a data source; what is wrong with arguments is said by its code. */
export const readDataSource = <S extends Shape>(
  client: Reader,
  definition: DataSourceDefinition<S>,
  given: Values,
) =>
  read(client, definition, given, {
    says: ({ within, code }) => `${String(within[0])}: ${code}`,
    hint: 'Compare with the code.',
  })
