import type { DriftDocument, ReportedDrift } from '../document/drift-model.ts'
import { reasonAt } from '../wording/acceptances.ts'
import { untilWords } from '../wording/until.ts'
import { addressRows, projectOf } from './drift-rows.ts'
import { afterText } from './field-lines.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Line } from '../../text/lines.ts'
import type { ReportStyle } from '../document/reports.ts'
import { driftedBy, whoAlike } from '../wording/sentences.ts'

/** What is accepted, with why; what is by the same actor for the same reason shares a line. */
export const acceptedLines = ({ accepted = [] }: DriftDocument, style: ReportStyle): Line[] =>
  addressRows(
    { label: 'accepted' },
    groupBy(accepted, (drift) => JSON.stringify([acceptedWhy(drift), whoAlike(drift)])).map((group) => ({
      addresses: group.map((drift) => acceptedName(drift, style)),
      why: group
        .slice(0, 1)
        .flatMap((drift) => [
          ...acceptedWhy(drift),
          ...(group.length === 1 ? driftedBy(drift) : whoAlike(drift)),
        ])
        .join('; '),
    })),
    style,
  )

const acceptedName = (
  { address, kind, what, identity, fields }: ReportedDrift,
  style: ReportStyle,
): string => {
  const project = projectOf(identity === undefined ? {} : { identity }, style)
  const names = [
    ...[project, what].filter((each) => each !== undefined),
    ...fields.map((field) => `${field.path} ${afterText(field, { kind })}`),
  ]
  return names.length === 0 ? address : `${address} (${names.join('; ')})`
}

const acceptedWhy = ({ acceptance }: ReportedDrift): string[] => {
  if (acceptance === undefined) return []
  return [[reasonAt(acceptance), ...untilWords(acceptance)].join(', ')]
}
