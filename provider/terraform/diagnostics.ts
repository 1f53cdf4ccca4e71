import { inAttributeNames, type KindDefinition } from '../core/index.ts'
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

/** What the command has and this door has not, or has by another name. */
const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['the manifest', 'the configuration'],
  [', then deploymgmt state accept', ', then apply again'],
  ['deploymgmt state accept', 'terraform state rm'],
  ['deploymgmt state forget', 'terraform state rm'],
  [', or give --allow-http where the network is trusted', ''],
  ['--concurrency', 'concurrency'],
]

const inThisDoor = (text: string): string =>
  ELSEWHERE.reduce((said, [there, here]) => said.replaceAll(there, here), text)

/** What a failure says to a person; one that is no error of ours is a defect, and says so. */
export const diagnosticOf = (error: unknown, attribute?: string): Diagnostic => {
  if (error instanceof DeploymgmtError) {
    const detail = [error.where, error.hint].filter((text) => text !== undefined).join('\n')
    return errorAt(attribute, `${error.code}: ${error.message}`, inThisDoor(detail))
  }
  return errorAt(
    undefined,
    'DM-INTERNAL: a defect of the provider',
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  )
}

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === Severity.error)

export const spelt = (definition: KindDefinition, diagnostic: Diagnostic): Diagnostic => ({
  ...diagnostic,
  summary: inAttributeNames(definition, inThisDoor(diagnostic.summary)),
  detail: inAttributeNames(definition, inThisDoor(diagnostic.detail ?? '')),
})
