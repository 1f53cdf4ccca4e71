import { manifestSchema } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { schemaOf, type JsonSchema } from '../disk/check.ts'
import type { Io } from '../io.ts'
import { applyShape } from '../render/shapes/apply.ts'
import { driftShape } from '../render/shapes/drift.ts'
import { planShape } from '../render/shapes/plan.ts'
import { writeOutput } from './output.ts'

const SCHEMAS: Readonly<Record<string, () => JsonSchema>> = {
  manifest: () => manifestSchema(kinds),
  plan: () => schemaOf(planShape, 'deploymgmt plan --format json'),
  apply: () => schemaOf(applyShape, 'a line of deploymgmt apply --format json'),
  drift: () => schemaOf(driftShape, 'deploymgmt drift --format json'),
}

/** The JSON Schema of a manifest, for editors, or of a document, for whoever reads it. */
export const schema = async (io: Io, { output }: { output?: string }, document: string): Promise<number> => {
  await writeOutput(io, output, JSON.stringify(SCHEMAS[document]?.(), undefined, 2))
  return 0
}
