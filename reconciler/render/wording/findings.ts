import type { Actor } from '@deploymgmt/provider/engine'
import {
  isNews,
  type DriftDocument,
  type Known,
  type ReportedDrift,
  type ReportedEdit,
  type ReportedUnmanaged,
  isGone,
} from '../document/drift-model.ts'
import type { ReportedDriftedField } from '../document/reported.ts'
import { withFields, worstFirst } from '../document/worst-first.ts'
import { ofField, type FieldOptions } from '../document/field-type.ts'
import { formerlyAccepted, passedWords } from './acceptances.ts'
import { untilWords } from './until.ts'
import { groupBy } from '../../text/group-by.ts'
import { besideDrift } from './beside-address.ts'
import { likelyBy, driftedBy, ownActors, strangersActed, strangersBy, strangeThing } from './sentences.ts'
import { identityWords, projectNamesIn } from '../document/about.ts'
import { cut, GLUE } from '../../text/lines.ts'
import { showValue } from '../../text/values.ts'
import { sideOf } from './value-pairs.ts'
import { TO_BE_SETTLED_BY_APPLY } from './to-settle.ts'

/**
 * Kinds of findings in a drift report, the most important first. These names are stable, because machines use them.
 */
export const RULES = [
  'drifted',
  'not-found',
  'acceptance-ended',
  'event-since',
  'pending-late',
  'to-be-settled',
  'unmanaged',
] as const
export type Rule = (typeof RULES)[number]

/** A finding of a drift report at one address. */
export interface Finding {
  readonly rule: Rule
  /** The address; an unmanaged thing has none, and is named by its section and its identity. */
  readonly name: string
  readonly kind?: string
  /** Its project, if there are several, and a description, as far as the name does not contain them. */
  readonly what?: string
  /** `FILE:LINE:COLUMN`. */
  readonly declaredAt?: string
  readonly fields: readonly ReportedDriftedField[]
  /** Whether the command fails because of it. */
  readonly counts: boolean
  /** What is wrong, if the fields do not say it. */
  readonly says: string
  /** Who did it, when and by which event, or why nobody is named. */
  readonly by: string
  /** Who did it, without when; empty if nobody is named. */
  readonly who: string
  readonly actor?: Actor
  readonly drift?: ReportedDrift
  readonly unmanaged?: ReportedUnmanaged
}

/**
 * All findings of a drift report, the worst first, otherwise in the order of `RULES`. What is accepted, ignored, or
 * not due yet is no finding.
 */
export const findingsOf = (doc: DriftDocument): Finding[] => {
  const found = [
    ...doc.resources.flatMap(partsOf).flatMap((drift) => {
      const rule = ruleOf(drift)
      return rule === undefined ? [] : [driftFinding(rule, drift, doc)]
    }),
    ...doc.toBeSettled.map(({ address, reason }): Finding => ({
      rule: 'to-be-settled',
      name: address,
      fields: [],
      counts: true,
      says: `${TO_BE_SETTLED_BY_APPLY}: ${reason}`,
      by: '',
      who: '',
    })),
    ...(doc.unmanaged ?? []).filter(isNews).map((each) => unmanagedFinding(each, doc)),
  ]
  return worstFirst(
    RULES.flatMap((rule) => found.filter((each) => each.rule === rule)),
    ({ drift, unmanaged }) => drift ?? unmanaged,
  )
}

/** Findings that a person has accepted or knows, with the given reason. They do not count. */
export const knownFindings = (
  doc: DriftDocument,
): { readonly finding: Finding; readonly because: string }[] => [
  ...(doc.accepted ?? []).map((drift) => ({
    finding: { ...driftFinding(ruleOf(drift) ?? 'drifted', drift, doc), counts: false },
    because: acceptedBecause(drift),
  })),
  ...(doc.unmanaged ?? []).flatMap((unmanaged) =>
    unmanaged.ignored === undefined
      ? []
      : [
          {
            finding: { ...unmanagedFinding(unmanaged, doc), counts: false },
            because: ignoredBecause(unmanaged.ignored),
          },
        ],
  ),
]

/** A drift by its fields; those whose acceptance has ended are separate. */
const partsOf = (drift: ReportedDrift): ReportedDrift[] => {
  const { acceptanceEnded = [], acceptanceChanged: _, ...others } = drift
  const over = new Set(acceptanceEnded.flatMap(({ fields = [] }) => fields))
  const rest = drift.fields.filter(({ path }) => !over.has(path))
  if (over.size === 0 || rest.length === 0) return [drift]
  return [
    { ...withFields(others, rest), ...changedOf(drift, (path) => !over.has(path)) },
    {
      ...withFields(
        others,
        drift.fields.filter(({ path }) => over.has(path)),
      ),
      acceptanceEnded,
      ...changedOf(drift, (path) => over.has(path)),
    },
  ]
}

/** The acceptances before a further change that cover some of the fields. */
const changedOf = (
  { acceptanceChanged = [] }: ReportedDrift,
  isMeant: (path: string) => boolean,
): Pick<ReportedDrift, 'acceptanceChanged'> => {
  const changed = acceptanceChanged.flatMap((each) => {
    const fields = (each.fields ?? []).filter(isMeant)
    return fields.length === 0 ? [] : [{ ...each, fields }]
  })
  return changed.length === 0 ? {} : { acceptanceChanged: changed }
}

const driftFinding = (rule: Rule, drift: ReportedDrift, doc: DriftDocument): Finding => {
  const { address, kind, declaredAt, fields, actor } = drift
  return {
    rule,
    name: address,
    kind,
    ...besideDrift(drift, projectNamesIn(doc.about)),
    ...(declaredAt === undefined ? {} : { declaredAt }),
    fields,
    counts: true,
    says: [...sayDrifted(drift), ...editedWords(drift, doc)].join('; '),
    by: drift.verdict === 'drifted' ? driftedBy(drift).join('; ').replaceAll(GLUE, ' ') : '',
    who:
      actor === undefined
        ? ownActors(fields)
            .map(([path, own]) => `${path} ${likelyBy(own)}`)
            .join('; ')
        : likelyBy(actor),
    ...(actor === undefined ? {} : { actor }),
    drift,
  }
}

const unmanagedFinding = (
  unmanaged: ReportedUnmanaged,
  { about, unmanagedCounts = false }: DriftDocument,
): Finding => {
  const { kind, seenIn, actor, ignoredBefore } = unmanaged
  const doubt = seenIn === 'events' ? ' (known from events only: it may have changed since)' : ''
  return {
    rule: 'unmanaged',
    name: nameOf(unmanaged, projectNamesIn(about)),
    kind,
    fields: [],
    counts: unmanagedCounts,
    says: `${strangeThing(unmanaged)}; nobody declares it${doubt}${ignoredBefore === undefined ? '' : `; ${passedWords('it was known', ignoredBefore, ignoredBefore.reason)}`}`,
    by: strangersActed(unmanaged).join('; '),
    who: strangersBy(unmanaged).join('; '),
    ...(actor === undefined ? {} : { actor }),
    unmanaged,
  }
}

/** Undefined if it is no finding. */
const ruleOf = (drift: ReportedDrift): Rule | undefined => {
  if (drift.acceptanceEnded !== undefined) return 'acceptance-ended'
  if (drift.verdict === 'pending') return drift.isLate === true ? 'pending-late' : undefined
  if (drift.verdict !== 'drifted') return undefined
  if (isGone(drift)) return 'not-found'
  return drift.evidence.level === 'suspect' ? 'event-since' : 'drifted'
}

/** The reason if no field shows it, and what became of acceptances. */
const sayDrifted = (drift: ReportedDrift): string[] => {
  const { verdict, fields, reason } = drift
  const isSaid = verdict === 'drifted' && fields.length > 0
  return [
    ...(isSaid ? [] : [reason]),
    ...formerlyAccepted(drift, ({ reason: why }) => why),
    ...movedWords(drift),
  ]
}

/** Says that its address is that of the record only; a pending thing has this in its reason. */
export const movedWords = ({ movedTo, verdict }: ReportedDrift): string[] =>
  movedTo === undefined || verdict === 'pending'
    ? []
    : [`recorded under this address, and now declared as ${movedTo}`]

/**
 * Further unapplied edits of a drifted thing, as a plan shows them too; undefined if its fields, or its new address,
 * show everything.
 */
export const editedBesides = ({ fields, edited, movedTo }: ReportedDrift): ReportedEdit | undefined => {
  if (edited === undefined || (movedTo !== undefined && edited.reasonCode === 'declared-as')) return undefined
  const said = new Set(fields.flatMap(({ path, declared }) => (declared === undefined ? [] : [path])))
  const others = edited.fields.filter(({ path }) => !said.has(path))
  return edited.fields.length > 0 && others.length === 0 ? undefined : { ...edited, fields: others }
}

/** The same in words. */
export const editedWords = (drift: ReportedDrift, about: Pick<DriftDocument, 'about'>): string[] => {
  const edited = editedBesides(drift)
  if (edited === undefined) return []
  const { reason, fields, isLate } = edited
  const said = [reason, ...fields.map((field) => fieldWords(field, drift.kind, about))].join('; ')
  return [`also ${isLate === true ? 'late' : 'pending'}: ${said}`]
}

/** Until when something is accepted, why, and where that is written. */
const acceptedBecause = ({ acceptance }: ReportedDrift): string =>
  acceptance === undefined
    ? 'accepted'
    : `${['accepted', ...untilWords(acceptance)].join(' ')}: ${acceptance.reason} (${acceptance.at})`

const ignoredBecause = (ignored: Known): string =>
  `${['known', ...untilWords(ignored)].join(' ')}: ${ignored.reason}`

/** `maintenanceWindows (project payments 5c81…, id 6b00…)`. */
const nameOf = ({ section, identity }: ReportedUnmanaged, names: ReadonlyMap<string, string>): string =>
  `${section} (${identityWords(identity, names).join(', ')})`

/** Longer values are cut; the document has them in full. */
const LONGEST_VALUE = 300

/** `enabled: false → true`; ids of projects with their names. */
export const fieldWords = (
  field: ReportedDriftedField,
  kind: string | undefined,
  { about }: Pick<DriftDocument, 'about'>,
): string => {
  const options = { names: projectNamesIn(about), kind }
  const [was, is] = [field.before, field.after].map((value) =>
    cut(sideOf(value, field, options), LONGEST_VALUE),
  )
  const aside = asideOf(field, options)
  return `${field.path}: ${was} → ${is}${aside === '' ? '' : ` (${aside})`}`
}

/** The note beside a field. */
export const asideOf = ({ path, note, declared }: ReportedDriftedField, options: FieldOptions): string =>
  [
    ...(note === undefined ? [] : [note]),
    ...(declared === undefined
      ? []
      : [`now declared: ${cut(showValue(declared, ofField(options, path)), LONGEST_VALUE)}`]),
  ].join('; ')

/** A finding without its name, in pieces for one line. */
export const findingWords = ({ kind, what = '', fields, says, by }: Finding, doc: DriftDocument): string[] =>
  [what, ...fields.map((field) => fieldWords(field, kind, doc)), says, by].filter((each) => each !== '')

/** Findings with the same text, except for when each was made, and by which event. */
export const groupedAlike = (findings: readonly Finding[]): Finding[][] =>
  groupBy(findings, ({ rule, kind, fields, says, by, who }) =>
    JSON.stringify([rule, kind, fields.map(unsigned), says, who === '' ? by : who]),
  )

/** A field without who changed it and by which event, which always differ. */
export const unsigned = (field: ReportedDriftedField): ReportedDriftedField => {
  const { actor: _, told, ...others } = field
  if (told === undefined) return others
  const { eventId: _id, at: _at, ...what } = told
  return { ...others, told: { ...what, eventId: '', at: '' } }
}
