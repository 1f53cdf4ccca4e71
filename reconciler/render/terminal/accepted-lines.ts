import type { DriftDocument, ReportedDrift } from '../document/drift-model.ts'
import { fileAndLine } from '../document/places.ts'
import { untilWords } from '../wording/until.ts'
import { addressRows, projectOf } from './drift-rows.ts'
import { afterText } from './field-lines.ts'
import { few } from '../../text/few.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Line } from '../../text/lines.ts'
import type { ReportStyle } from '../document/reports.ts'
import { driftedBy, whoAlike } from '../wording/sentences.ts'

/** What is accepted, with why; what is by the same actor for the same reason shares a line. */
export const acceptedLines = ({ accepted = [] }: DriftDocument, style: ReportStyle): Line[] =>
  addressRows(
    { label: 'accepted' },
    groupBy(accepted, likeness).map((group) => ({
      addresses: group.map((drift) => acceptedName(drift, style)),
      why: [
        ...acceptedWhy(group),
        ...group.slice(0, 1).flatMap((drift) => (group.length === 1 ? driftedBy(drift) : whoAlike(drift))),
      ].join('; '),
    })),
    style,
  )

/** Each has an entry of its own in the file, so the place is not part of it. */
const likeness = (drift: ReportedDrift): string =>
  JSON.stringify([drift.acceptance?.reason, drift.acceptance?.until, whoAlike(drift)])

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

/** `Too loud (deploymgmt.accepted.yaml:5, deploymgmt.accepted.yaml:9), until 2026-12-31`. */
const acceptedWhy = (group: readonly ReportedDrift[]): string[] => {
  const acceptances = group.flatMap(({ acceptance }) => acceptance ?? [])
  const places = [...new Set(acceptances.map(({ at }) => fileAndLine(at) ?? at))]
  return acceptances
    .slice(0, 1)
    .map((first) => [`${first.reason} (${few(places)})`, ...untilWords(first)].join(', '))
}
