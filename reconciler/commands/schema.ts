import { manifestSchema } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { schemaOf, type JsonSchema } from '../disk/check.ts'
import type { Io } from '../io.ts'
import { SHAPES } from '../render/shapes/index.ts'
import { writeOutput } from './output/output.ts'

const SCHEMAS: Readonly<Record<string, () => JsonSchema>> = {
  manifest: () => manifestSchema(kinds),
  plan: () => schemaOf(SHAPES.plan, 'deploymgmt plan --format json'),
  apply: () => schemaOf(SHAPES.apply, 'a line of deploymgmt apply --format json'),
  drift: () => schemaOf(SHAPES.drift, 'deploymgmt drift --format json'),
}

/** The JSON Schema of a manifest, for editors, or of a document, for its readers. */
export const schema = async (io: Io, { output }: { output?: string }, document: string): Promise<number> => {
  await writeOutput(io, output, JSON.stringify(SCHEMAS[document]?.(), undefined, 2))
  return 0
}
