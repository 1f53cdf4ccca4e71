import { textOf, type Identity, type KindDefinition, type Values } from '../../core/index.ts'
import { identityKey, isComplete, same, writableFields } from '../../engine/index.ts'
import { isGiven, isKnown, type Plain } from '../codec/plain.ts'
import type { Claim, Claims, Configured } from '../connection/connection.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { claimedTwice, createdTwice, undoneByDestroy } from '../words/claims.ts'
import type { ResourceChange } from './change.ts'
import { defaultsOf, identityIn, onRemoveIn } from './entry.ts'
import { isMadeOnce, isReplacement } from './made-once.ts'
import { mapIn, membersOf } from './members.ts'
import { namingAttribute } from './refusals.ts'

/**
 * Refuses a plan for a thing that another resource of the same run also stands for and declares differently.
 * Terraform tells no addresses: whichever is planned later finds the claim of the earlier one.
 * @param found what a selector stands for, if it was read
 */
export const refusedAsClaimed = (
  definition: KindDefinition,
  change: ResourceChange & { readonly planned: Plain; readonly config: Plain },
  { claims, undone }: Pick<Configured, 'claims' | 'undone'>,
  found?: Values,
): Diagnostic[] => {
  // The plan that asked for the replacement has claimed its things.
  if (isReplacement(change)) return []
  const { prior, planned } = change
  const at = namingAttribute(definition, planned)
  const id = prior?.values['id']
  const mine: Claim = {
    values: declaredIn(definition, change),
    by: at === undefined ? undefined : { at, value: planned.values[at] },
    stateId: typeof id === 'string' ? id : undefined,
    isNew: prior === null,
  }
  const things = thingsOf(definition, change, found)
  const destroyed = prior === null ? undefined : firstIn(undone, definition, things)
  const conflicts = things.flatMap((identity) => {
    const other = claim(claims, identityKey(definition, identity), mine)
    const field = other && disagreedOn(definition, mine.values, other.values)
    return other === undefined || field === undefined ? [] : [{ identity, other, field }]
  })
  const [first] = conflicts
  const told =
    first === undefined
      ? []
      : [
          errorAt(
            at,
            claimedTwice(definition, { ...first, mine, things: conflicts.map((each) => each.identity) }),
          ),
        ]
  return [
    ...told,
    ...(destroyed === undefined ? [] : [errorAt(undefined, undoneByDestroy(definition, destroyed))]),
    ...createdAgain(definition, change, claims, mine),
  ]
}

/**
 * Refuses to destroy what another resource goes on standing for, where that would undo what it declares. What another
 * one only now takes up is settled within the apply.
 */
export const refusedAsStillClaimed = (
  definition: KindDefinition,
  { prior, planned }: Pick<ResourceChange, 'prior' | 'planned'>,
  { claims, undone }: Pick<Configured, 'claims' | 'undone'>,
): Diagnostic[] => {
  if (prior === null || planned !== null || prior.values['ended'] === true) return []
  const way = onRemoveIn(definition, prior.values)
  if (definition.release[way]?.way !== 'send') return []
  const things = thingsOf(definition, { prior, planned: prior }, undefined)
  const stateId = textOf(prior.values['id'])
  for (const identity of things) undone.set(identityKey(definition, identity), { identity, way, stateId })
  const identity = things.find((each) => claims.get(identityKey(definition, each))?.isNew === false)
  return identity === undefined
    ? []
    : [errorAt(undefined, undoneByDestroy(definition, { identity, way, stateId }))]
}

const firstIn = <T>(
  map: ReadonlyMap<string, T>,
  definition: KindDefinition,
  things: readonly Identity[],
): T | undefined =>
  things.map((identity) => map.get(identityKey(definition, identity))).find((each) => each !== undefined)

/** Returns an earlier claim, which stays; otherwise adds this one. */
const claim = (claims: Claims, key: string, mine: Claim): Claim | undefined => {
  const other = claims.get(key)
  if (other === undefined) claims.set(key, mine)
  return other
}

const thingsOf = (
  definition: KindDefinition,
  { prior, planned }: { readonly prior: Plain | null; readonly planned: Plain },
  found: Values | undefined,
): Identity[] => {
  const own = identityIn(definition, planned.values)
  const members = membersOf(definition, planned)
  if (members === undefined) return isComplete(definition, own) ? [own] : []
  // What is to be deleted is in the prior map, and no longer in the planned one.
  const map = found ?? mapIn(members, members.are === 'deleted' ? (prior ?? planned) : planned)
  return Object.keys(map).map((key) => ({ ...own, [definition.identity.key]: key }))
}

/** Of the fields that an apply can change: configured values, and defaults of the others. */
const declaredIn = (
  definition: KindDefinition,
  { planned, config }: { readonly planned: Plain; readonly config: Plain },
): Values => {
  const { ensures } = definition.expand
  const members = membersOf(definition, planned)
  if (members?.are === 'deleted') return { [members.field]: ensures?.absent }
  const defaults = defaultsOf(definition)
  const names = [...writableFields(definition), ...(ensures === undefined ? [] : [ensures.field])]
  const declared = names.filter((name) => isGiven(config, name) || defaults[name] !== undefined)
  return Object.fromEntries(
    declared.filter((name) => isKnown(planned, name)).map((name) => [name, planned.values[name]]),
  )
}

const disagreedOn = ({ fields }: KindDefinition, mine: Values, theirs: Values): string | undefined =>
  Object.keys(mine).find(
    (name) => theirs[name] !== undefined && !same(fields[name], mine[name], theirs[name]),
  )

/** The service refuses a second thing of the same name, whatever is declared of it. */
const createdAgain = (
  definition: KindDefinition,
  { prior, planned }: { readonly prior: Plain | null; readonly planned: Plain },
  claims: Claims,
  mine: Claim,
): Diagnostic[] => {
  const { key, unique } = definition.identity
  if (!isMadeOnce(definition)) return []
  const creates = prior === null && planned.values[key] === undefined
  return unique.flatMap((name) => {
    const value = planned.values[name]
    if (typeof value !== 'string') return []
    const other = claim(claims, JSON.stringify([definition.kind, name, value]), { ...mine, creates })
    return other !== undefined && (creates || other.creates === true)
      ? [errorAt(name, createdTwice(definition, value))]
      : []
  })
}
