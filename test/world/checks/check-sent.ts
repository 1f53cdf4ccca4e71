import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Act, Sent } from '../known/acts.ts'
import { HOUR } from '../known/declared.ts'
import { CLOSE_MS } from '../known/oracle.ts'
import { count } from '../tally.ts'
import type { Ended, World } from '../world.ts'

/** A plan that was shown, and when. */
interface Announced {
  readonly document: any
  readonly plannedAt: number
  /** Is carried out as it is, or not at all. */
  readonly isSaved?: boolean
  /** What others did that only an answer can show, if it may be written over. */
  readonly overwritable?: ReadonlySet<Act>
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replace(/\/$/, '')}`

/** Whether a plan made now could differ: there are new events, or something has begun or ended. */
const isOverOrNew = ({ service, now }: World, own: number, plannedAt: number): boolean =>
  service.acts.some(({ run, seenFrom }) => run !== own && seenFrom > plannedAt && seenFrom <= now) ||
  Math.floor((plannedAt - CLOSE_MS) / HOUR) !== Math.floor((now + CLOSE_MS) / HOUR)

/**
 * An apply sends what the plan right before it shows. Each write is one of the plan's, with its fields and values or
 * with a declared value over an overwritable one; and each write of the plan was sent, or its address is named as not
 * written.
 */
export const checkSent = (
  world: World,
  ended: Ended,
  { document, plannedAt, isSaved = false, overwritable = new Set() }: Announced,
): void => {
  const { number, code, told } = ended
  const isOther = isOverOrNew(world, number, plannedAt)
  if (isOther && !isSaved) return count('sent as shown: not asked, something is new')
  const sent = world.service.sent.filter(({ run }) => run === number)
  const shown: any[] = document.changes.filter(({ requests }: any) => requests.length > 0)
  const byKey = Map.groupBy(
    shown.flatMap((change) => change.requests.map((request: any) => ({ change, key: keyOf(request) }))),
    ({ key }) => key,
  )
  count(`sent as ${isSaved ? 'saved' : 'shown'}: ${sent.length > 0 ? 'writes' : 'nothing'}`)
  const unannounced = sent.filter((each) => !byKey.has(keyOf(each)))
  expect({ unannounced, shown }).toEqual({ unannounced: [], shown })
  for (const each of sent) {
    const changes = (byKey.get(keyOf(each)) ?? []).map(({ change }) => change)
    const over = fieldsOver(world, overwritable, each)
    const fits = changes.some((change) => isShown(change, each, over))
    expect({ each, changes, fits }).toEqual({ each, changes, fits: true })
  }
  const made = Map.groupBy(
    sent.filter(({ method, status }) => method === 'POST' && status < 300),
    keyOf,
  )
  for (const [key, posts] of made)
    expect({ key, count: posts.length, isMost: posts.length <= (byKey.get(key)?.length ?? 0) }).toMatchObject(
      {
        isMost: true,
      },
    )
  if (isOther || (code !== 0 && code !== 2)) return
  checkAllSent({ shown, sent, told })
}

/** The fields in a write that somebody else has changed last, before this run. */
const fieldsOver = (
  { service: { acts } }: World,
  overwritable: ReadonlySet<Act>,
  { run, path, body }: Sent,
): string[] =>
  Object.keys(body ?? {}).filter((name) => {
    const last = acts.findLast(
      (act) =>
        act.run !== run &&
        path.endsWith(`/${act.id}`) &&
        !isDeepStrictEqual(act.before?.[name], act.after?.[name]),
    )
    return last !== undefined && overwritable.has(last)
  })

/** A removal sends an end or no roles, which a plan does not list as fields. */
const isShown = (
  { action, fields, after, notes = [] }: any,
  { method, body }: Sent,
  over: readonly string[],
): boolean =>
  method === 'DELETE' ||
  action === 'release' ||
  Object.entries(body ?? {}).every(([name, value]) => {
    const same = fields.filter(({ path }: any) => path.split(/[.[]/)[0] === name)
    // The first write of a key sends its roles to learn from the answer, as a note says.
    if (over.includes(name) || notes.some((note: string) => note.startsWith(`${name} is sent first`)))
      return isSame(after[name], value)
    if (method === 'POST' && same.length === 0) return true
    return same.some((field: any) => field.path !== name || isSame(field.after, value))
  })

/** Sets and instants have several spellings; a role that is an object looks different in a body. */
const isSame = (shown: unknown, sent: unknown): boolean => {
  if (isTexts(shown) && isTexts(sent)) return shown.toSorted().join() === sent.toSorted().join()
  if (typeof shown !== 'string' || typeof sent !== 'string') return Array.isArray(sent) || shown === sent
  const [one, other] = [Date.parse(shown), Date.parse(sent)]
  return shown === sent || (Number.isFinite(one) && one === other)
}
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Requests to the same collection are not distinguished: each address that says it has written needs one of them. */
const checkAllSent = ({
  shown,
  sent,
  told,
}: {
  readonly shown: readonly any[]
  readonly sent: readonly Sent[]
  readonly told: readonly any[]
}): void => {
  const finished = new Map<string, any>(
    told.filter(({ type }) => type === 'finished').map((each) => [each.address, each]),
  )
  const keys = new Set(sent.map(keyOf))
  const left = shown.filter(({ address, requests }) => {
    const { status, written } = finished.get(address) ?? {}
    if (status === 'done') return written !== true || !requests.some((each: any) => keys.has(keyOf(each)))
    return status === undefined
  })
  expect(left.map(({ address, action }) => ({ address, action, finished: finished.get(address) }))).toEqual(
    [],
  )
  const unshown = [...finished.values()].filter(
    ({ address, written }) => written === true && !shown.some((each) => each.address === address),
  )
  expect(unshown).toEqual([])
}
