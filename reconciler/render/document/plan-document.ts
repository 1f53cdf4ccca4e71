import {
  ACTIONS,
  entryOf,
  isDifference,
  isUnverifiable,
  secretsOf,
  type Change,
  type Entry,
  type Plan,
  type SecretUse,
} from '@deploymgmt/provider/engine'
import { countBy } from '@deploymgmt/provider/core'
import { isCheck, stepsOf, type Words } from '@deploymgmt/provider/words'
import type { About } from './about.ts'
import { withCommandsNamed } from './named-commands.ts'
import { lackingIn } from './lacking.ts'
import type { PlanDocument, ReportedChange, ReportedGate, Summary } from './plan-model.ts'
import {
  reportedEvidence,
  reportedFields,
  reportedIgnored,
  reportedNeeds,
  reportedToSettle,
  targetedBy,
  type ToSettle,
} from './reported.ts'

interface PlanFacts {
  readonly about: About
  readonly entries: readonly Entry[]
  readonly toSettle: readonly ToSettle[]
  readonly requestsSent: number
  readonly all: boolean
  /** The values of `--target`. */
  readonly target: readonly string[]
  /** Former names of projects that the manifest does not name, by id. */
  readonly called: Readonly<Record<string, string>> | undefined
  /** The state of gates. */
  readonly gates?: readonly ReportedGate[]
}

/** The plan for users. Things in sync are left out unless `all`; unverifiable things never are. */
export const planDocument = (
  { planned, needs, warnings, strangers }: Plan,
  words: Words,
  { about, entries, toSettle, requestsSent, all, target, called, gates = [] }: PlanFacts,
): PlanDocument => {
  const changes = planned.map(({ change }) => change)
  const whole = needs.filter(({ address }) => address === undefined)
  const zones = zonesIn(entries)
  const overrides = overridesIn(entries)
  const secrets = Map.groupBy(secretsOf(planned), ({ address }) => address)
  const lacking = lackingIn(changes)
  const former = new Map(
    changes.flatMap(({ address, from }) => (from === undefined ? [] : [[address, from] as const])),
  )
  return {
    formatVersion: 1,
    about,
    inSync: target.length === 0 && toSettle.length === 0 && changes.every((change) => !isDifference(change)),
    summary: summarize(changes),
    changes: withCommandsNamed(
      changes
        .filter((change) => all || change.action !== 'unchanged' || isUnverifiable(change))
        .map((change) => ({ ...sayChange(change, words), ...zonesFor(change, zones) }))
        .map((change) => sayingWhere(change, about, called))
        .map((change) => sayingWhose(change, overrides))
        .map((change) => sayingSecrets(change, secrets.get(change.address) ?? [])),
      (address) => former.get(address) ?? address,
    ),
    ...(whole.length === 0 ? {} : { needs: reportedNeeds(whole, words) }),
    ...(toSettle.length === 0 ? {} : { toBeSettled: reportedToSettle(toSettle, words) }),
    warnings: warnings.map(words.says),
    ...reportedIgnored(
      changes.map(({ address, reason, notes = [] }) => ({ address, reasons: [reason, ...notes] })),
    ),
    ...(lacking.length === 0 ? {} : { lacking }),
    ...(strangers.length === 0 ? {} : { strangers }),
    ...(gates.length === 0 ? {} : { gates }),
    ...targetedBy(target),
    requestsSent,
  }
}

/** Adds the project of a released thing, if the manifest has no name for it any more. */
const sayingWhere = (
  change: ReportedChange,
  { projects }: About,
  called: PlanFacts['called'] = {},
): ReportedChange => {
  const id = change.before?.['projectId']
  const isNamed = projects.some((each) => each.id === id && each.name !== undefined)
  if (change.after !== null || typeof id !== 'string' || isNamed) return change
  // If no project has a name, people know projects by id.
  if (called[id] === undefined && projects.every(({ name }) => name === undefined)) return change
  const where =
    called[id] === undefined
      ? `in project ${id}, which the manifest does not name`
      : `in project ${called[id]} (${id}), which the manifest no longer names`
  return { ...change, notes: [...(change.notes ?? []), where] }
}

type Overrides = ReadonlyMap<string, NonNullable<Entry['overriddenAt']>>

const overridesIn = (entries: readonly Entry[]): Overrides =>
  new Map(
    entries.flatMap(({ address, overriddenAt }) =>
      overriddenAt === undefined ? [] : [[entryOf(address), overriddenAt] as const],
    ),
  )

/** Adds the files whose values are planned, other than the one that declares the entry first. */
const sayingWhose = (change: ReportedChange, overrides: Overrides): ReportedChange => {
  const places = overrides.size === 0 ? undefined : overrides.get(entryOf(change.address))
  if (places === undefined || change.after === null) return change
  const from = change.fields.flatMap(({ path }) => {
    const place = places[path]
    return place === undefined ? [] : [{ path, at: `${place.file}:${place.line}` }]
  })
  const notes = [...Map.groupBy(from, ({ at }) => at)].map(
    ([at, fields]) => `${fields.map(({ path }) => path).join(', ')} from ${at}`,
  )
  return notes.length === 0 ? change : { ...change, notes: [...(change.notes ?? []), ...notes] }
}

/** Adds where secrets will come from: whoever reviews a plan has to know which one an entry names. */
const sayingSecrets = (change: ReportedChange, uses: readonly SecretUse[]): ReportedChange => {
  if (uses.length === 0) return change
  const notes = uses.map(({ field, reference, declaredPath }) => {
    const { env, file = '' } = reference as { env?: string; file?: string }
    const place = env === undefined ? `the file ${declaredPath ?? file}` : `the environment variable ${env}`
    return `${field} from ${place}`
  })
  return { ...change, notes: [...(change.notes ?? []), ...notes] }
}

type Zones = NonNullable<ReportedChange['zones']>

const zonesIn = (entries: readonly Entry[]): ReadonlyMap<string, Zones> =>
  new Map(
    entries.flatMap(({ address, zones }) =>
      zones === undefined ? [] : [[entryOf(address), zones] as const],
    ),
  )

const zonesFor = ({ address }: Change, known: ReadonlyMap<string, Zones>): Pick<ReportedChange, 'zones'> => {
  const zones = known.size === 0 ? undefined : known.get(entryOf(address))
  return zones === undefined ? {} : { zones }
}

const summarize = (changes: readonly Change[]): Summary => ({
  ...(Object.fromEntries([...ACTIONS, 'unverifiable'].map((each) => [each, 0])) as Summary),
  ...countBy(changes, (change) => (isUnverifiable(change) ? 'unverifiable' : change.action)),
})

const sayChange = (change: Change, words: Words): ReportedChange => {
  const { reason, fields, evidence, notes: all = [], needs, ...plain } = change
  const isBlocked = change.action === 'blocked'
  const steps = isBlocked ? stepsOf(words, reason, all) : []
  const notes = isBlocked ? all.filter((note) => !isCheck(note)) : all
  return {
    ...plain,
    reasonCode: reason.code,
    reason: words.says(reason),
    fields: reportedFields(fields, words),
    evidence: reportedEvidence(evidence, words),
    ...(steps.length === 0 ? {} : { byHand: steps.join(' ') }),
    ...(notes.length === 0 ? {} : { notes: notes.map(words.says) }),
    ...(needs === undefined ? {} : { needs: reportedNeeds(needs, words) }),
  }
}
