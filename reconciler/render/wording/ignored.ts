import { projectNamesIn } from '../document/about.ts'
import type { ReportedSubject } from '../document/reported.ts'
import { projectWithin } from './beside-address.ts'

/** The fields in which things differ that are as declared otherwise: `alertConfigurations.noisy.enabled`. */
export const ignoredFields = ({ about, ignored = [] }: ReportedSubject): readonly string[] => {
  const names = projectNamesIn(about)
  return ignored.flatMap(({ address, fields }) => {
    const project = projectWithin(address, names)
    return fields.map((field) => `${address}.${field}${project === undefined ? '' : ` (${project})`}`)
  })
}

/** Before their names. */
export const IGNORED = 'ignored differences'
