import { isDeepStrictEqual } from 'node:util'
import { defaultRelease, isNone, isReadable, type Fields, type KindDefinition } from '../../core/index.ts'
import { same } from '../../engine/index.ts'
import { isGiven, isKnown, withUnknown, withValues, type Plain } from '../codec/plain.ts'
import { isLost, recordsIn, type PrivateState } from '../codec/private-state.ts'
import { creationAlone, nothingMakesIt } from '../words/plans.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { keptIn } from './change.ts'
import { defaultsOf } from './entry.ts'
import { membersOf, withMembers } from './members.ts'
import { missingIn, missingToAdopt, takenOut } from './requirements.ts'

export interface PlannedResource {
  readonly planned: Plain | null
  /** Keys of attributes whose change means another thing, so that Terraform replaces the resource. */
  readonly replacedBy: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

interface Arguments {
  readonly prior: Plain | null
  readonly proposed: Plain | null
  readonly config: Plain | null
  readonly kept: PrivateState
}

/** Plans the state of a resource from its arguments alone, because Terraform plans again within an apply. */
export const planResource = (
  definition: KindDefinition,
  { prior, proposed, config, kept }: Arguments,
): PlannedResource => {
  // What a destroy does depends on the time.
  if (proposed === null || config === null) return { planned: null, replacedBy: [], diagnostics: [] }
  const base = withDefaults(definition, proposed, config)
  return prior === null
    ? {
        planned: withMembers(definition, undefined, toldByCreation(definition, base)),
        replacedBy: [],
        diagnostics: missingIn(definition, config),
      }
    : planUpdate(definition, { prior, base: inSpellingOf(definition, prior, base), config, kept })
}

/** Adds defaults for what the configuration omits; earlier values never count. */
const withDefaults = (definition: KindDefinition, proposed: Plain, config: Plain): Plain => {
  const defaults = { ...defaultsOf(definition), onRemove: defaultRelease(definition) }
  const unsaid = Object.entries(defaults).filter(([name]) => !isGiven(config, name))
  return withValues(proposed, Object.fromEntries(unsaid))
}

/** A value that means the same as before keeps its spelling: another spelling is no change. */
const inSpellingOf = ({ fields }: KindDefinition, prior: Plain, base: Plain): Plain => {
  const kept = Object.entries(fields).filter(
    ([name, field]) =>
      isGiven(prior, name) &&
      isGiven(base, name) &&
      isKnown(base, name) &&
      same(field, prior.values[name], base.values[name]),
  )
  return withValues(base, Object.fromEntries(kept.map(([name]) => [name, prior.values[name]])))
}

interface Update {
  readonly prior: Plain
  /** What is proposed, with defaults. */
  readonly base: Plain
  readonly config: Plain
  readonly kept: PrivateState
}

const planUpdate = (definition: KindDefinition, { prior, base, config, kept }: Update): PlannedResource => {
  const { fields } = definition
  const changed = changedFields(definition, prior, base)
  const selectsAnew = !membersOf(definition, prior) || selects(definition, changed)
  // A thing that has ended cannot be changed: with other dates it is created anew, unless they are over too.
  const anew = prior.values['ended'] === true && changed.some((name) => isDate(definition, name))
  const whole = anew ? asConfigured(definition, base, config) : base
  const after = withMembers(
    definition,
    selectsAnew ? undefined : prior,
    whole,
    kept.is === 'remembered' ? kept.leaving : undefined,
  )
  const isMissed = isGone(definition, { prior, base })
  const acts =
    changed.length > 0 ||
    isMissed ||
    !hasSameMembers(definition, prior, after) ||
    isUnproven(definition, prior, kept)
  const planned = acts ? toldByApply(definition, { prior, after }, { anew, changed }) : after
  const replacedBy = changed.filter(
    (name) => fields[name]?.part === 'name' && !isNaming(definition, prior, name),
  )
  return {
    planned: isMissed ? thereAgain(definition, planned) : planned,
    replacedBy,
    // A replacement is planned once more, as a creation: what the old thing was says nothing about the new one.
    diagnostics:
      replacedBy.length === 0 ? saidOfUpdate(definition, { prior, base, config, kept }, changed) : [],
  }
}

const saidOfUpdate = (
  definition: KindDefinition,
  { prior, base, config, kept }: Update,
  changed: readonly string[],
): Diagnostic[] => [
  ...frozen(definition, { prior, base }, changed),
  // What an import has read was never declared.
  ...(kept.is === 'imported' ? missingToAdopt(definition, config) : takenOut(definition, prior, base)),
  ...missingAgain(definition, { prior, base }, changed),
]

/** Without values that the service kept for the former thing, because this is another one. */
const asConfigured = (definition: KindDefinition, base: Plain, config: Plain): Plain =>
  withValues(base, Object.fromEntries(keptIn(definition, base, config).map((name) => [name, undefined])))

const isDate = ({ lifetime }: KindDefinition, name: string): boolean =>
  !isNone(lifetime) && lifetime.dates.includes(name)

/** Whether the key only now says which thing a creation made whose answer was lost: that is no other thing. */
const isNaming = ({ identity: { key, assigned } }: KindDefinition, prior: Plain, name: string): boolean =>
  name === key && assigned === 'unless-declared' && !isGiven(prior, key)

type States = Pick<Update, 'prior' | 'base'>

/**
 * Create-only attributes never force a replacement: a destroy forgets the thing, and a creation would meet it again.
 */
const frozen = (
  { fields }: KindDefinition,
  { prior, base }: States,
  changed: readonly string[],
): Diagnostic[] =>
  changed
    // A value that another resource will tell is planned again, and decided, within the apply.
    .filter((name) => fields[name]?.change === 'create-only' && isGiven(prior, name) && isKnown(base, name))
    .map((name) => errorAt(name, creationAlone(name)))

/** Whether it must exist, and did not when it was read. */
const isGone = (
  { expand: { ensures }, establish: { adopt } }: KindDefinition,
  { prior, base }: States,
): boolean => {
  const mayBeMissing = isNone(adopt) ? undefined : adopt.mayBeMissing
  const has = (name: string | undefined, value: unknown): boolean =>
    name === undefined || (isKnown(base, name) && base.values[name] === value)
  return (
    prior.values['present'] === false && has(mayBeMissing, false) && has(ensures?.field, ensures?.present)
  )
}

/**
 * Plans what is declared, so that a missing thing shows as a change: the apply says what it cannot do, or finds it
 * again.
 */
const thereAgain = (definition: KindDefinition, planned: Plain): Plain =>
  withMembers(definition, undefined, withValues(planned, { present: true }))

/** Refuses `present` for a thing that is gone, if the API cannot create one. */
const missingAgain = (
  definition: KindDefinition,
  { prior, base }: States,
  changed: readonly string[],
): Diagnostic[] => {
  const { ensures } = definition.expand
  if (ensures === undefined || !isNone(definition.establish.create) || !changed.includes(ensures.field))
    return []
  return base.values[ensures.field] === ensures.present && prior.values['present'] === false
    ? [errorAt(ensures.field, nothingMakesIt(definition, base.values))]
    : []
}

/**
 * Whether nothing has shown that it exists: it was imported only by its id, a write has not found it, or an answer
 * was lost.
 */
const isUnproven = (definition: KindDefinition, { values }: Plain, kept: PrivateState): boolean => {
  if (isReadable(definition) || values['ended'] === true) return false
  if (kept.is === 'imported') return definition.observe.how === 'nothing'
  return isLost(kept) || Object.values(recordsIn(kept)).some(({ notFoundAt }) => notFoundAt !== undefined)
}

const hasSameMembers = ({ expand: { members } }: KindDefinition, prior: Plain, after: Plain): boolean =>
  members === undefined ||
  (isKnown(after, members.map) && isDeepStrictEqual(after.values[members.map], prior.values[members.map]))

/** Whether a change is about which things the resource stands for, and not about their values. */
const selects = ({ expand, fields }: KindDefinition, changed: readonly string[]): boolean =>
  changed.some((name) => name !== expand.members?.field && fields[name]?.part !== 'value')

/** Fields whose configured value means something else than the state's; an unknown value counts as different. */
const changedFields = ({ fields }: KindDefinition, prior: Plain, base: Plain): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const after = base.values[name]
    if (field.change === 'computed' || field.type.is === 'secret') return []
    if (!isKnown(base, name)) return [name]
    // An omitted value is neither compared nor sent; what selects or names something always counts.
    if (field.part === 'value' && after === undefined) return []
    return same(field, prior.values[name], after) ? [] : [name]
  })

const toldByCreation = ({ identity: { key, assigned }, fields }: KindDefinition, planned: Plain): Plain => {
  const isAssigned = assigned === 'by-service' || (assigned === 'unless-declared' && !isGiven(planned, key))
  const told = computedBeside(fields, key)
  return withUnknown(planned, [...told, ...TOLD_OF_ALL, 'evidence', 'id', ...(isAssigned ? [key] : [])])
}

const TOLD_OF_ALL = ['present', 'ended']

const computedBeside = (fields: Fields, key: string): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.change === 'computed' && name !== key)

/** Makes computed attributes unknown that an apply may change; those that name the thing stay as they are. */
const toldByApply = (
  definition: KindDefinition,
  { prior, after }: { readonly prior: Plain; readonly after: Plain },
  { anew, changed }: { readonly anew: boolean; readonly changed: readonly string[] },
): Plain => {
  if (anew) return toldByCreation(definition, after)
  const { fields, identity } = definition
  const isMoved = changed.some((name) => isDate(definition, name))
  const open = [
    ...(changed.every((name) => fields[name]?.part === 'value') ? [] : ['present']),
    ...(isMoved ? ['ended'] : []),
    ...[...computedBeside(fields, identity.key), ...TOLD_OF_ALL, 'id'].filter(
      (name) => !isGiven(prior, name),
    ),
  ]
  return withUnknown(after, ['evidence', ...open])
}
