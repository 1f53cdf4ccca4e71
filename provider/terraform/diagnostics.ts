import { camelToSnake, type Fields, type FieldType, type KindDefinition } from '../core/index.ts'
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
export const diagnosticOf = (error: unknown, attribute?: string): Diagnostic => {
  if (error instanceof DeploymgmtError) {
    const detail = [error.where, error.hint].filter((text) => text !== undefined).join('\n')
    return errorAt(attribute, `${error.code}: ${error.message}`, detail)
  }
  return errorAt(
    undefined,
    'DM-INTERNAL: a defect of the provider',
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  )
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === Severity.error)

/** A sentence of the engine in Terraform's words: `rolesComplete: true` is `roles_complete = true` here. */
export const inSnakeCase = (definition: KindDefinition, text: string): string => {
  const names = namesIn(definition.fields)
  return text.replaceAll(
    /\b([a-z]+(?:[A-Z][a-z0-9]*)*)(: (?=\w))?/g,
    (whole, word: string, colon?: string) => {
      if (!names.has(word)) return whole
      // A plain word is as likely a word of the sentence; one in camel case is a name.
      if (colon !== undefined && !/[A-Z]/.test(word)) return whole
      return camelToSnake(word) + (colon === undefined ? '' : ' = ')
    },
  )
}

const namesIn = (fields: Fields): ReadonlySet<string> =>
  new Set(['onRemove', ...Object.entries(fields).flatMap(([name, { type }]) => [name, ...namesWithin(type)])])

const namesWithin = (type: FieldType): string[] => {
  if (type.is === 'object') return [...namesIn(type.fields)]
  return type.is === 'set' || type.is === 'list' ? namesWithin(type.of) : []
}

export const spelt = (definition: KindDefinition, diagnostic: Diagnostic): Diagnostic => ({
  ...diagnostic,
  summary: inSnakeCase(definition, diagnostic.summary),
  detail: inSnakeCase(definition, diagnostic.detail ?? ''),
})
