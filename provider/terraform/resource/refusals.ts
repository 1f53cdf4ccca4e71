import { flagOfWord, type KindDefinition } from '../../core/index.ts'
import { placeKey, type Need, type PlannedChange, type Run } from '../../engine/index.ts'
import { isGiven, type Plain } from '../codec/plain.ts'
import { allowedFromCaller, guarded, guardedDestroy } from '../words/applies.ts'
import { blockedAsItIs, worded } from '../words/plans.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, identityIn } from './entry.ts'

export const allowedIn = ({ values: { allow } }: Plain): ReadonlySet<string> =>
  new Set(Array.isArray(allow) ? allow.map((word) => flagOfWord(String(word))) : [])

/** The permissions that a change needs and `allow` does not give. */
export const notAllowed = ({ needs = [] }: PlannedChange['change'], object: Plain): readonly Need[] => {
  const allowed = allowedIn(object)
  return needs.filter(({ flag }) => !allowed.has(flag))
}

interface Refusing {
  /** Which blocked changes are errors already; the others are warnings. All by default. */
  readonly isSure?: (change: PlannedChange['change']) => boolean
  /** How a missing flag is asked for. */
  readonly needed?: (need: Need) => Diagnostic
}

/** What an apply refuses: blocked changes, and changes that need a flag. */
export const refusals = (
  definition: KindDefinition,
  { plan, observed }: Pick<Run, 'plan' | 'observed'>,
  object: Plain,
  { isSure = () => true, needed = neededAt }: Refusing = {},
): Diagnostic[] =>
  plan.planned.flatMap(({ change }) => {
    const isNowhere = observed.absent.has(placeKey(definition, identityIn(definition, object.values)))
    const named = isNowhere ? placeAttribute(definition) : namingAttribute(definition, object)
    const at = change.fields[0]?.path ?? named
    const say = staysBesides(definition, change.address) ? warningAt : errorAt
    const isOpen = change.action === 'blocked' && !isSure(change)
    return [
      ...(isOpen ? [warningAt(at, blockedAsItIs(definition, object.values, change))] : []),
      ...(change.action === 'blocked' && !isOpen ? [say(at, worded(change.reason, change.notes))] : []),
      ...notAllowed(change, object).map(needed),
    ]
  })

/** Warns of what the calling key itself may lose because `allow` permits it. */
export const takenFromCaller = ({ takesFromCaller: need }: PlannedChange, object: Plain): Diagnostic[] =>
  need === undefined || !allowedIn(object).has(need.flag) ? [] : [warningAt('allow', allowedFromCaller(need))]

/**
 * Whether it is one of several things to delete, and the API cannot delete it: the others are deleted all the same.
 */
const staysBesides = (definition: KindDefinition, address: string): boolean =>
  definition.expand.members?.are === 'deleted' && address !== addressOf(definition)

const neededAt = (need: Need): Diagnostic => errorAt('allow', guarded(need))

/** The permission that a destroy needs. A destroy has only the state, so `allow` has to be there. */
export const neededToDestroy = (need: Need): Diagnostic => errorAt(undefined, guardedDestroy(need))

/** How an apply asks for a permission; a destroy plans nothing. */
export const asking = ({ planned }: { readonly planned: Plain | null }): ((need: Need) => Diagnostic) =>
  planned === null ? neededToDestroy : neededAt

/** The attribute that says which thing is meant: its key, or its selector. */
export const namingAttribute = ({ identity, expand }: KindDefinition, object: Plain): string | undefined =>
  [identity.key, expand.members?.by ?? ''].find((key) => isGiven(object, key))

/** The attribute that says where it is: its project, or its organization. */
export const placeAttribute = ({ identity }: KindDefinition): string | undefined => identity.scope[0]
