import { flagOfWord, OVERWRITE, type KindDefinition } from '../../core/index.ts'
import { same, type EventSeen, type FieldChange, type PlannedChange } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import { stale } from '../words/applies.ts'
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
  const say = (identity: Named, changed: readonly string[] | 'there again', events: readonly EventSeen[]) =>
    changed.length === 0 ? [] : [errorAt(undefined, stale(definition, identity, { changed, events, ownKey }))]
  const seen = new Set(kept.seen)
  return changes.flatMap(({ change, work }) => {
    if (work.do === 'delete') return isBack(definition, prior) ? say(work.identity, 'there again', []) : []
    if (work.do !== 'write') return []
    const { identity } = work.instance
    const events = change.evidence.events ?? []
    if (definition.observe.how === 'everything') {
      const beyond = change.fields.filter(
        (field) => !isShown(definition, { prior, planned }, identity, field),
      )
      return say(identity, pathsOf(beyond), events)
    }
    const unseen = events.filter(({ id }) => !seen.has(id))
    const answered = (work.settles ?? []).filter(({ id }) => !seen.has(id))
    const touched = new Set(answered.flatMap(({ fields }) => fields))
    const over = change.fields.filter(({ path }) => touched.has(path))
    return unseen.length === 0 ? [] : say(identity, pathsOf(over), unseen)
  })
}

const pathsOf = (fields: readonly FieldChange[]): string[] => fields.map(({ path }) => path)

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
  if (members === undefined) return same(field, prior.values[path], now)
  // The selector was changed: only the apply could tell which things it matches.
  if (planned.unknown.has(members.map)) return true
  const key = identity[definition.identity.key] ?? ''
  return path !== members.field || same(field, mapIn(members, prior)[key], now)
}

/** Whether the thing must not exist: then the plan was made without it, and it has come back since. */
const isBack = (definition: KindDefinition, prior: Plain): boolean => {
  const { ensures } = definition.expand
  if (ensures === undefined || membersOf(definition, prior) !== undefined) return false
  return prior.values[ensures.field] === ensures.absent
}
