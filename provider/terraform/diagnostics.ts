import { camelToSnake, type KindDefinition } from '../core/index.ts'
import { DeploymgmtError } from '../errors/index.ts'
import { pathTo, Severity, type Diagnostic } from './wire/common-messages.ts'

/** An error at an attribute, or about the whole where none is named. */
export const errorAt = (attribute: string | undefined, summary: string, detail = ''): Diagnostic => ({
  severity: Severity.error,
  summary,
  detail,
  ...(attribute === undefined ? {} : { attribute: pathTo(attribute) }),
})

export const warningAt = (attribute: string | undefined, summary: string, detail = ''): Diagnostic => ({
  ...errorAt(attribute, summary, detail),
  severity: Severity.warning,
})

/** What a failure says to a person; one that is no error of ours is a defect, and says so. */
export const diagnosticOf = (error: unknown): Diagnostic => {
  if (error instanceof DeploymgmtError) {
    const detail = [error.where, error.hint].filter((text) => text !== undefined).join('\n')
    return errorAt(undefined, `${error.code}: ${error.message}`, detail)
  }
  return errorAt(
    undefined,
    'DM-INTERNAL: a defect of the provider',
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  )
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === Severity.error)

/** A sentence of the engine in Terraform's words: the fields' names as attributes are spelt. */
export const inSnakeCase = (definition: KindDefinition, text: string): string =>
  text.replaceAll(/\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g, (word) =>
    definition.fields[word] === undefined ? word : camelToSnake(word),
  )

export const spelt = (definition: KindDefinition, diagnostic: Diagnostic): Diagnostic => ({
  ...diagnostic,
  summary: inSnakeCase(definition, diagnostic.summary),
  detail: inSnakeCase(definition, diagnostic.detail ?? ''),
})
