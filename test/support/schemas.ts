import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { schemaOf, type JsonSchema } from '../../reconciler/disk/check.ts'
import { driftShape } from '../../reconciler/render/shapes/drift.ts'
import { planShape } from '../../reconciler/render/shapes/plan.ts'
import type { Ran } from './command.ts'

const DRAWN: Readonly<Record<string, () => JsonSchema>> = {
  plan: () => schemaOf(planShape, 'plan'),
  drift: () => schemaOf(driftShape, 'drift'),
}
const compiled = new Map<string, ValidateFunction>()

export const schemaChecker = (): Ajv2020 => {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
  return ajv
}

/** What in a document is not as `deploymgmt schema` has it. */
export const faultsIn = (name: string, document: unknown): readonly unknown[] => {
  const validate = compiled.get(name) ?? schemaChecker().compile(DRAWN[name]?.() ?? false)
  compiled.set(name, validate)
  return validate(document) ? [] : (validate.errors ?? [])
}

/** Every document of a plan or a drift report that a test has made is as its schema has it. */
export const holdSchema = <R extends Pick<Ran, 'stdout'>>(words: readonly string[], ran: R): R => {
  const [command = ''] = words
  if (!(command in DRAWN) || !ran.stdout.startsWith('{')) return ran
  const document = documentIn(ran.stdout)
  // SARIF is JSON as well, with a schema of its own.
  const isOther = document !== undefined && ['error', 'savedPlan', 'runs'].some((key) => key in document)
  if (document === undefined || isOther) return ran
  const faults = faultsIn(command, document)
  if (faults.length > 0)
    throw new Error(
      `${words.join(' ')} is not as its schema has it: ${JSON.stringify(faults)}\n${ran.stdout}`,
    )
  return ran
}

/** Nothing where stdout was given more than a document. */
const documentIn = (text: string): object | undefined => {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
