import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Log } from 'sarif'

const require = createRequire(import.meta.url)

/** The folder of the package with the published schema and a validator, if it is installed. */
const folder = (): string | undefined => {
  try {
    return dirname(require.resolve('@microsoft/sarif-multitool-linux/package.json'))
  } catch {
    return undefined
  }
}
export const MULTITOOL = folder()

/** Why a test that needs it is skipped. */
export const WITHOUT_MULTITOOL = 'the optional package @microsoft/sarif-multitool-linux is not installed'

export const canRun = MULTITOOL !== undefined && existsSync(join(MULTITOOL, 'Sarif.Multitool'))

/** The errors that the published schema finds in a log. */
export const schemaErrors = (): ((log: unknown) => unknown) => {
  if (MULTITOOL === undefined) throw new Error(WITHOUT_MULTITOOL)
  const schema: unknown = JSON.parse(readFileSync(join(MULTITOOL, 'sarif-2.1.0.json'), 'utf8'))
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false })
  const validate = ajv.compile(schema as object)
  return (log) => (validate(log) ? [] : validate.errors)
}

export const resultsOf = (shown: string) => {
  const [run] = (JSON.parse(shown) as Log).runs
  return run?.results ?? []
}
