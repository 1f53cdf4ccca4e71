import { camelToSnake, flagOfWord, OVERWRITE, type KindDefinition } from '../../core/index.ts'
import { fieldsOf, same, type EventSeen, type PlannedChange } from '../../engine/index.ts'
import { errorAt } from '../diagnostics.ts'
import type { ResourceChange } from './change.ts'
import { allowedIn } from './refusals.ts'
import { standsForSeveral } from './members.ts'
import type { Diagnostic } from '../wire/common-messages.ts'
import { UNKNOWN, type TerraformObject } from '../wire/value.ts'

/** What an apply would overwrite, or delete, that someone else did after the reading its plan was made from. */
export const staleSince = (
  definition: KindDefinition,
  { prior, planned, kept }: ResourceChange,
  changes: readonly PlannedChange[],
): Diagnostic[] => {
  // A creation has shown nothing of what was there, and an import nothing at all.
  if (prior === null || planned === null || kept.importedAt !== undefined) return []
  if (allowedIn(planned).has(flagOfWord(OVERWRITE))) return []
  const seen = new Set(kept.seen)
  const states = { prior, planned }
  const read = definition.observe.how === 'everything'
  return changes.flatMap(({ change, work }) => {
    if (work.do === 'delete')
      return isBack(definition, prior) ? [stale(definition, work.identity, ['it is there again'], [])] : []
    if (work.do !== 'write') return []
    const { identity } = work.instance
    const events = change.evidence.events ?? []
    if (read) {
      const beyond = change.fields.filter(
        ({ path, before }) => !isShown(definition, states, identity, path, before),
      )
      return beyond.length === 0 ? [] : [stale(definition, identity, pathsOf(beyond), events)]
    }
    const unseen = events.filter(({ id }) => !seen.has(id))
    const touched = new Set(fieldsOf(definition, unseen))
    const over = change.fields.filter(({ path }) => touched.has(path))
    return unseen.length === 0 || over.length === 0
      ? []
      : [stale(definition, identity, pathsOf(over), unseen)]
  })
}

const pathsOf = (fields: readonly { readonly path: string }[]): string[] =>
  fields.map(({ path }) => camelToSnake(path))

type Named = Readonly<Record<string, string | undefined>>

/** Whether the state before the plan has the value that is there now. */
const isShown = (
  definition: KindDefinition,
  { prior, planned }: { readonly prior: TerraformObject; readonly planned: TerraformObject },
  identity: Named,
  path: string,
  now: unknown,
): boolean => {
  const { members } = definition.expand
  const field = definition.fields[path]
  if (field === undefined) return true
  if (members === undefined || !standsForSeveral(definition, prior))
    return same(field, prior[camelToSnake(path)] ?? undefined, now ?? undefined)
  // Another selector: what it stands for was to be known after the apply.
  if (planned[camelToSnake(members.map)] === UNKNOWN) return true
  const map = (prior[camelToSnake(members.map)] ?? {}) as TerraformObject
  const key = identity[definition.identity.key] ?? ''
  return path !== members.field || same(field, map[key] ?? undefined, now ?? undefined)
}

/** What must not be there was not there when the plan was made. */
const isBack = (definition: KindDefinition, prior: TerraformObject): boolean => {
  const { ensures } = definition.expand
  if (ensures === undefined || standsForSeveral(definition, prior)) return false
  return prior[camelToSnake(ensures.field)] === ensures.absent
}

const stale = (
  { title, identity: { key } }: KindDefinition,
  identity: Named,
  what: readonly string[],
  events: readonly EventSeen[],
): Diagnostic =>
  errorAt(
    undefined,
    `DM-PLAN-STALE: someone else changed ${title} ${identity[key] ?? ''} after the plan was made: ${what.join(', ')}${byWhom(events)}`,
    `Nothing was sent. Plan again and look; or apply with allow = ["${OVERWRITE}"] what is configured all the same.`,
  )

const byWhom = ([newest, ...others]: readonly EventSeen[]): string => {
  if (newest === undefined) return ''
  const { publicKey, username, created, eventTypeName, id } = newest
  const who = publicKey === undefined ? (username ?? 'someone') : `key "${publicKey}"`
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return ` (${who}, ${created}, ${eventTypeName}, event ${id}${more})`
}
