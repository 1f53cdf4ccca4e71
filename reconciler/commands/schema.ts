import { manifestSchema } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Io } from '../io.ts'
import { writeOutput } from './output.ts'

/** The JSON Schema of a manifest, for editors. */
export const schema = async (io: Io, options: { output?: string }): Promise<number> => {
  await writeOutput(io, options.output, JSON.stringify(manifestSchema(kinds), undefined, 2))
  return 0
}
