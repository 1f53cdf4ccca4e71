import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { ManifestFinding } from '../../errors/finding.ts'

/** The parts of a `DeploymgmtError`, as data. */
export interface ReportedError {
  readonly code: string
  readonly message: string
  readonly where?: string
  readonly hint?: string
}

export const sayError = ({ code, message, where, hint }: DeploymgmtError): ReportedError => ({
  code,
  message,
  ...(where === undefined ? {} : { where }),
  hint,
})

/** The document in place of data if a command fails; for manifests with all findings. */
export interface Failure {
  readonly formatVersion: 1
  readonly error: ReportedError & { readonly findings?: readonly ManifestFinding[] }
}

/** What failed, with its code; then where, and what to do. */
export const errorLines = ({ code, message, where, hint }: ReportedError): string[] => [
  `${code}: ${message}`,
  ...(where === undefined ? [] : [where]),
  ...(hint === undefined ? [] : [hint]),
]

/** Each mistake in a manifest, with its position. */
export const findingLines = ({ findings = [] }: Failure['error']): string[] =>
  findings.map(
    ({ file, line, column, path, message }) =>
      `${file}:${line}:${column}  ${path === '' ? '' : `${path}: `}${message}`,
  )
