import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { schemaOf, type JsonSchema } from '../../reconciler/disk/check.ts'
import { SHAPES } from '../../reconciler/render/shapes/index.ts'
import type { Ran } from './command.ts'

const DRAWN = new Map(
  Object.entries(SHAPES).map(([name, shape]) => [name, (): JsonSchema => schemaOf(shape, name)]),
)
const compiled = new Map<string, ValidateFunction>()

export const schemaChecker = (): Ajv2020 => {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
  return ajv
}

/** What in a document is not as `deploymgmt schema` says. */
export const faultsIn = (name: string, document: unknown): readonly unknown[] => {
  const validate = compiled.get(name) ?? schemaChecker().compile(DRAWN.get(name)?.() ?? false)
  compiled.set(name, validate)
  return validate(document) ? [] : (validate.errors ?? [])
}

/** Checks each plan, drift report and apply event that a test makes against its schema. */
export const holdSchema = <R extends Pick<Ran, 'stdout'>>(words: readonly string[], ran: R): R => {
  const [command = ''] = words
  if (!DRAWN.has(command) || !ran.stdout.startsWith('{')) return ran
  const faults = documentsIn(command, ran.stdout).flatMap((document) => faultsIn(command, document))
  if (faults.length > 0)
    throw new Error(
      `${words.join(' ')} is not as its schema has it: ${JSON.stringify(faults)}\n${ran.stdout}`,
    )
  return ran
}

/** None if something else was printed as well. */
const documentsIn = (command: string, text: string): object[] => {
  try {
    const documents: object[] =
      command === 'apply'
        ? text
            .trim()
            .split('\n')
            .map((each) => JSON.parse(each))
        : [JSON.parse(text)]
    return command === 'apply'
      ? documents
      : // SARIF is also JSON, but has a schema of its own.
        documents.filter((each) => !['savedPlan', 'runs', 'done'].some((key) => key in each))
  } catch {
    return []
  }
}
