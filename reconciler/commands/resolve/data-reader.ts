import type { Client } from '@deploymgmt/provider/api'
import { nearest, type DataSourceDefinition, type Values } from '@deploymgmt/provider/core'
import type { Problem } from '@deploymgmt/provider/core/check'
import { readDataSource } from '@deploymgmt/provider/engine'
import { ArgumentError, type ArgumentWords } from '@deploymgmt/provider/errors'
import type { ReadData } from '../../config/index.ts'
import { argumentLine } from '../../config/manifest/data.ts'

/** Reads data sources with a client; each is read once per run. */
export const dataReader = (client: Client): ReadData => {
  const read = new Map<string, Promise<Values>>()
  return (definition, values) => {
    const key = JSON.stringify([definition.name, values])
    const reading =
      read.get(key) ??
      readDataSource(client, definition, values, inStack(definition)).then((told) => ({ ...told }))
    read.set(key, reading)
    return reading
  }
}

/** Data sources only exist in stacks. */
const inStack = (definition: DataSourceDefinition): ArgumentWords<Problem> => ({
  says: (problem) => argumentLine(problem, definition, { how: 'derived', nearest }),
  hint: ArgumentError.remedy,
})
