import type { ReportedIgnored } from '../document/reported.ts'

/** The fields in which things differ that are in sync otherwise: `alertConfigurations.noisy.enabled`. */
export const ignoredFields = ({
  ignored = [],
}: {
  readonly ignored?: readonly ReportedIgnored[]
}): readonly string[] =>
  ignored.flatMap(({ address, fields }) => fields.map((field) => `${address}.${field}`))

/** Before their names. */
export const IGNORED = 'ignored differences'
