import { flagOfWord, isReadable, OVERWRITE, type KindDefinition } from '../../core/index.ts'
import { same, type EventSeen, type FieldChange, type PlannedChange } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import { stale, type ChangedField } from '../words/applies.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import type { ResourceChange } from './change.ts'
import { mapIn, membersOf } from './members.ts'
import { allowedIn } from './refusals.ts'

type Named = Readonly<Record<string, string | undefined>>

/** Refuses to overwrite or delete what somebody else did after the read that the plan was made from. */
export const staleSince = (
  definition: KindDefinition,
  { prior, planned, kept }: ResourceChange,
  changes: readonly PlannedChange[],
  ownKey: string,
): Diagnostic[] => {
  // The plan of a creation has shown nothing of what was there, and an import nothing at all.
  if (prior === null || planned === null || kept.is !== 'remembered') return []
  if (allowedIn(planned).has(flagOfWord(OVERWRITE))) return []
  const say = (
    identity: Named,
    changed: readonly ChangedField[] | 'there again',
    events: readonly EventSeen[],
  ) =>
    changed.length === 0 ? [] : [errorAt(undefined, stale(definition, identity, { changed, events, ownKey }))]
  const seen = new Set(kept.seen)
  return changes.flatMap(({ change, work }) => {
    if (work.do === 'delete') return isBack(definition, prior) ? say(work.identity, 'there again', []) : []
    if (work.do !== 'write') return []
    const { identity } = work.instance
    const events = change.evidence.events ?? []
    if (isReadable(definition)) {
      const beyond = change.fields.filter(
        (field) => !isShown(definition, { prior, planned }, identity, field),
      )
      // What the reading leaves out, only events tell.
      const unshown = beyond.filter(({ note }) => note !== undefined)
      const read = beyond
        .filter((field) => !unshown.includes(field))
        .map(({ path, before: is }): ChangedField => ({
          name: path,
          read: { was: shownIn(definition, prior, identity, path), is },
        }))
      return say(identity, [...read, ...toldIn(definition, unshown, work, new Set())], events)
    }
    const unseen = events.filter(({ id }) => !seen.has(id))
    return unseen.length === 0 ? [] : say(identity, toldIn(definition, change.fields, work, seen), unseen)
  })
}

/**
 * The fields that unseen events are about. One event can be about several of them, and only some have changed: those
 * that it tells with another value than the one last written.
 */
const toldIn = (
  { fields }: KindDefinition,
  changes: readonly FieldChange[],
  { record, settles }: Extract<PlannedChange['work'], { readonly do: 'write' }>,
  seen: ReadonlySet<string>,
): ChangedField[] => {
  const unseen = settles.filter(({ id }) => !seen.has(id))
  const changed = changes.filter(({ path, told }) => {
    const isTold = told?.value !== undefined && unseen.some(({ id }) => id === told.eventId)
    return isTold && !same(fields[path], told.value, record?.applied[path])
  })
  // An event that tells nothing else can be about any of its fields.
  const silent = unseen.filter(({ id }) => !changed.some(({ told }) => told?.eventId === id))
  return changes.flatMap((change): ChangedField[] => {
    const { path: name, told } = change
    if (changed.includes(change)) return [{ name, told: told?.value }]
    const about = silent.filter((event) => event.fields.includes(name))
    return about.length === 0 ? [] : [{ name, perhaps: about.every((event) => event.fields.length > 1) }]
  })
}

/** The value that the state has of a thing: of one of several, in its map. */
const shownIn = (definition: KindDefinition, prior: Plain, identity: Named, path: string): unknown => {
  const members = membersOf(definition, prior)
  return members === undefined
    ? prior.values[path]
    : mapIn(members, prior)[identity[definition.identity.key] ?? '']
}

/** Whether the state before the plan has the current value. */
const isShown = (
  definition: KindDefinition,
  { prior, planned }: { readonly prior: Plain; readonly planned: Plain },
  identity: Named,
  { path, before: now }: FieldChange,
): boolean => {
  const field = definition.fields[path]
  if (field === undefined) return true
  const members = membersOf(definition, prior)
  const isSame = same(field, shownIn(definition, prior, identity, path), now)
  if (members === undefined) return isSame
  // The selector was changed: only the apply could tell which things it matches.
  if (planned.unknown.has(members.map)) return true
  return path !== members.field || isSame
}

/** Whether the thing must not exist: then the plan was made without it, and it has come back since. */
const isBack = (definition: KindDefinition, prior: Plain): boolean => {
  const { ensures } = definition.expand
  if (ensures === undefined || membersOf(definition, prior) !== undefined) return false
  return prior.values[ensures.field] === ensures.absent
}
