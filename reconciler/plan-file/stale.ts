import { isDeepStrictEqual } from 'node:util'
import { omit } from '@deploymgmt/provider/core'
import type { Action, Actor, Change, Evidence, EventSeen, FieldChange } from '@deploymgmt/provider/engine'
import { byWhom, doneBy } from '@deploymgmt/provider/words'
import { PlanStaleError } from '../errors/index.ts'
import type { PlanDocument, ReportedChange } from '../render/document/plan-model.ts'
import { ofField } from '../render/document/field-type.ts'
import { sortedJson } from '../text/json.ts'
import { showValue } from '../text/values.ts'
import type { SavedPlan } from './shape.ts'

/** @throws PlanStaleError if the inputs of the plan have changed */
export const refuseStale = (
  saved: SavedPlan,
  now: { baseUrl: string; sources: SavedPlan['sources']; state: SavedPlan['state'] },
): void => {
  if (saved.baseUrl !== now.baseUrl)
    throw new PlanStaleError(`the plan is for ${saved.baseUrl}, but DEPLOYMGMT_BASE_URL is ${now.baseUrl}`)
  refuseOtherState(saved.state, now.state)
  const edited = now.sources.filter(
    ({ file, sha256 }) => saved.sources.find((each) => each.file === file)?.sha256 !== sha256,
  )
  if (edited.length > 0 || saved.sources.length !== now.sources.length)
    throw new PlanStaleError(
      `the manifests have changed since the plan was made${edited.length > 0 ? `: ${edited.map(({ file }) => file).join(', ')}` : ''}`,
    )
  if (!isDeepStrictEqual(saved.state, now.state))
    throw new PlanStaleError(
      `the state has changed since the plan was made (serial ${saved.state.serial} then, ${now.state.serial} now)`,
      {
        hint: 'Plan again, review the new plan, and apply that: if an apply of this plan was interrupted, the new one has what is left.',
      },
    )
}

/** A plan names its files relative to its folder; elsewhere, another state may be at that path. */
const refuseOtherState = (then: SavedPlan['state'], now: SavedPlan['state']): void => {
  if (!then.exists || then.lineage === now.lineage) return
  throw new PlanStaleError(
    now.exists
      ? `the state here is not the one that the plan was made with (lineage ${then.lineage} then, ${now.lineage} now)`
      : 'there is no state here, but the plan was made with one',
    { hint: 'Apply the plan in the folder where it was made, or name its state with --state.' },
  )
}

/**
 * The parts of a plan that must not differ. Other reads, costs and warnings may differ from one moment to the next.
 */
type Shown = Pick<PlanDocument, 'about' | 'changes' | 'needs' | 'summary' | 'targeted'>

/**
 * Compares everything that a saved plan shows of its acts: an edited file would have a person agree to something
 * else.
 * @throws PlanStaleError
 */
export const refuseOtherThanSaved = (saved: Shown, fresh: Shown): void => {
  const found = divergences(saved.changes, fresh.changes)
  const where = found.length > 0 ? inWords(found) : differing(saved.changes, fresh.changes, whole).join(', ')
  const what = 'what the plan file shows is not what would be planned now'
  if (where !== '') throw new PlanStaleError(`${what}: ${where}`)
  if (!isDeepStrictEqual(figures(saved), figures(fresh)))
    throw new PlanStaleError(`${what}: its summary, or what it needs`)
  if (saved.about !== undefined && !isDeepStrictEqual(scope(saved), scope(fresh)))
    throw new PlanStaleError(`${what}: the installation, the manifest, its projects, or the targets`)
}

/** Which installation and projects it says that it is for. Another key may apply it, from another folder. */
const scope = ({ about, targeted }: Shown): unknown => {
  const { manifest, baseUrl, organizations, projects } = about ?? {}
  return asJson([manifest, baseUrl, organizations, projects, targeted])
}

const figures = ({ summary, needs }: Shown): unknown =>
  asJson([omit(summary, 'unchanged', 'expired', 'unverifiable'), needs])

/**
 * Changes with all their words, except what an event told, and when; what of that was accepted; and alternative
 * spellings.
 */
const whole = (changes: readonly ReportedChange[] = []): unknown =>
  asJson(
    changes
      .map((change) => ({
        ...change,
        fields: change.fields.map((field) => ({ ...field, told: undefined })),
        evidence: undefined,
        actor: undefined,
        endsAcceptances: undefined,
        leavesAcceptances: undefined,
        takenFrom: undefined,
        what: wordsOf(change.what),
      }))
      .toSorted((a, b) => (a.action < b.action ? -1 : Number(a.action > b.action))),
  )

/**
 * What a thing is, without its numbers: the threshold of an alert configuration can be another meanwhile, but where
 * an entry has only an id, nothing else says what is turned off.
 */
const wordsOf = (what: string | undefined): string | undefined =>
  what?.replaceAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g, '#')

/** The value as it is after a round trip through a file. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/**
 * Two plans without the addresses at which settling a lost request has left no more to do than was shown: what was
 * to be asserted or created there is correct by now, wholly or in part.
 */
export const withoutSettled = <S extends Act, F extends Act>(
  shown: readonly S[],
  fresh: readonly F[],
  settled: ReadonlySet<string>,
): [shown: S[], fresh: F[]] => {
  const [before, after] = [actingByAddress(shown), actingByAddress(fresh)]
  const isShown = (address: string): boolean =>
    (after.get(address) ?? []).every((change) => before.get(address)?.some((each) => holds(each, change)))
  const isOther = ({ address }: Act): boolean => !settled.has(address) || !isShown(address)
  return [shown.filter(isOther), fresh.filter(isOther)]
}

/** Whether everything that `change` does is contained in `shown`. */
const holds = (shown: Act, change: Act): boolean => {
  const isKnown = (of: (act: Act) => readonly unknown[]): boolean =>
    of(change).every((each) => of(shown).some((known) => isDeepStrictEqual(known, each)))
  return (
    shown.action === change.action &&
    shown.from === change.from &&
    isKnown(({ requests }) => requests) &&
    isKnown(({ fields }) => fields.map(({ path, after }) => [path, after])) &&
    isKnown(({ needs = [] }) => needs.map(({ flag }) => flag)) &&
    isKnown((act) => eventsOf(act).map(({ id }) => id))
  )
}

/**
 * Refuses what someone else changed while a person was reading. An allowed overwrite covers what was shown, and no
 * more: nobody has agreed to the rest.
 * @throws PlanStaleError
 */
export const refuseOtherThanShown = (
  shown: readonly Act[],
  fresh: readonly Act[],
  { allowOverwrite = false },
): void => {
  const found = divergences(shown, fresh)
  const unshown = found.filter((each) => each.unshown)
  if (unshown.length > 0)
    throw new PlanStaleError(
      `since the plan was shown, something else has to be done that nobody has seen: ${inWords(unshown)}`,
    )
  if (found.length > 0 && !allowOverwrite)
    throw new PlanStaleError(`someone else changed ${inWords(found)} after the plan was made`, {
      hint: 'Plan again and look, or repeat the apply with --allow-overwrite to write what is declared anyway.',
    })
}

/**
 * The parts by which two plans are compared: what is done, to what, and the acts of others that this overwrites; no
 * sentences.
 */
interface Act extends Pick<Change, 'address' | 'action' | 'from' | 'requests'> {
  readonly kind?: string
  readonly fields: readonly Pick<FieldChange, 'path' | 'before' | 'after'>[]
  readonly evidence: Pick<Evidence, 'level' | 'events'>
  readonly needs?: readonly { readonly flag: string }[]
  readonly actor?: Actor
}

/** An address at which two plans do different things. */
interface Divergence {
  readonly address: string
  readonly kind: string | undefined
  /** Whether something would be done there that the first plan did not show. */
  readonly unshown: boolean
  /** Fields whose current value is not the one that the first plan shows. */
  readonly fields: readonly { readonly path: string; readonly was: unknown; readonly is: unknown }[]
  /** Events about the thing that the first plan did not know, newest first. */
  readonly events: readonly EventSeen[]
  /** Who has likely changed the thing, if the first plan did not show that. */
  readonly actor?: Actor
}

/**
 * The addresses at which two plans differ in what they do or overwrite. Other reads, and their times, may differ.
 */
export const divergences = (shown: readonly Act[], fresh: readonly Act[]): Divergence[] => {
  const before = actingByAddress(shown)
  const after = actingByAddress(fresh)
  // A change that does nothing can know events, too.
  const all = Map.groupBy(fresh, (change) => change.address)
  const known = new Set(shown.flatMap(eventsOf).map(({ id }) => id))
  return differing(shown, fresh, essences).map((address) => {
    const actions = new Set(before.get(address)?.map(({ action }) => action))
    const actor = after.get(address)?.find((each) => each.actor !== undefined)?.actor
    const isNew = before.get(address)?.every((each) => each.actor?.eventId !== actor?.eventId) ?? true
    return {
      address,
      kind: [...(before.get(address) ?? []), ...(after.get(address) ?? [])][0]?.kind,
      // A blocked change sends nothing, so it need not have been shown.
      unshown: (after.get(address) ?? []).some(({ action }) => action !== 'blocked' && !actions.has(action)),
      fields: changedFields(before.get(address), after.get(address)),
      ...(actor === undefined || !isNew ? {} : { actor }),
      events: (all.get(address) ?? []).flatMap(eventsOf).filter(({ id }) => !known.has(id)),
    }
  })
}

/**
 * The changed fields. Fields that a plan does not show are as the plan would have written them. They are not
 * compared if a thing is created or released, which is another thing then, nor if nothing was read, because the
 * record has not changed.
 */
const changedFields = (shown: readonly Act[] = [], fresh: readonly Act[] = []): Divergence['fields'] => {
  if (![...shown, ...fresh].every(({ action }) => KEPT.has(action))) return []
  if (fresh.some(({ evidence }) => evidence.level !== 'read')) return []
  const [before, after] = [fieldsOf(shown), fieldsOf(fresh)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [then, now] = [before.get(path), after.get(path)]
    const change = { path, was: then ? then.before : now?.after, is: now ? now.before : then?.after }
    return isDeepStrictEqual(asJson([change.was]), asJson([change.is])) ? [] : [change]
  })
}

const KEPT: ReadonlySet<Action> = new Set(['update', 'adopt', 'blocked'])

const fieldsOf = (acts: readonly Act[]) =>
  new Map(acts.flatMap(({ fields }) => fields.map((field) => [field.path, field] as const)))

/** Addresses whose acting changes differ, as compared by `of`. */
const differing = <A extends Act>(
  shown: readonly A[],
  fresh: readonly A[],
  of: (changes: readonly A[] | undefined) => unknown,
): string[] => {
  const [before, after] = [actingByAddress(shown), actingByAddress(fresh)]
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (address) => !isDeepStrictEqual(of(before.get(address)), of(after.get(address))),
  )
}

/** One address can have several changes: one part of a thing can be blocked and another be written. */
const actingByAddress = <A extends Act>(changes: readonly A[]): ReadonlyMap<string, readonly A[]> =>
  Map.groupBy(
    changes.filter(({ action }) => action !== 'unchanged' && action !== 'expired'),
    ({ address }) => address,
  )

const eventsOf = ({ evidence }: Act): readonly EventSeen[] => evidence.events ?? []

/** What is done, and the acts of others that this overwrites, as values and codes, independent of wording. */
const essences = (changes: readonly Act[] = []): string[] =>
  changes
    .map((change) => {
      const { action, from, fields, requests, needs = [] } = change
      const values = fields.map(({ path, before, after }) => [path, before, after])
      const flags = needs.map(({ flag }) => flag).toSorted()
      const events = eventsOf(change).map(({ id }) => id)
      return sortedJson([action, from, values, requests, flags, events.toSorted()])
    })
    .toSorted()

const inWords = (found: readonly Divergence[]): string =>
  found.map((each) => `${each.address}${whatOf(each)}${whoOf(each)}`).join(', ')

const whatOf = ({ kind, fields }: Divergence): string =>
  fields.length === 0 ? '' : `: ${fields.map((field) => changedWords(field, kind)).join(', ')}`

const changedWords = ({ path, was, is }: Divergence['fields'][number], kind: string | undefined): string => {
  const shown = ofField({ kind }, path)
  return `${path} ${showValue(was, shown)} → ${showValue(is, shown)}`
}

const whoOf = ({ events, actor }: Divergence): string =>
  actor === undefined ? byWhom(events) : ` (${doneBy(actor)})`
