import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { idAt } from './check-apply.ts'
import { foreignTo, isLivedTwice, looksOwn, type Oracle } from '../known/oracle.ts'
import { recordsOf, type World } from '../world.ts'

/** The fields of each thing, by its id, that a plan shows as changing; undefined if no plan was made. */
type Shown =
  | {
      readonly document: any
      readonly fields: readonly (readonly [id: string, fields: readonly string[]])[]
    }
  | undefined

const WHOLE: readonly string[] = []

/** Makes a plan right before an apply, only if somebody else has written anything. */
export const shownNow = async (world: World, words: readonly string[]): Promise<Shown> => {
  if (world.service.acts.every(({ by }) => by === 'run')) return undefined
  const target = words[0] === '--target' ? words : []
  const { document } = await world.json(['plan', '--all', ...target])
  if (document?.changes === undefined) return undefined
  const records = await recordsOf(world)
  // A renamed one is still recorded at its old address.
  const origins = new Map<string, string>(
    document.changes.flatMap(({ address, from }: any) => (from === undefined ? [] : [[address, from]])),
  )
  const entries = document.changes.map(({ address, action, before, after, fields, requests, notes }: any) => {
    // A replacement, or what an apply settles first, shows its id only in its request; what is not recorded yet, in its
    // values.
    const id =
      requests
        .map(({ path }: any) => path.split('/').at(-1))
        .find((last: string) => /^[0-9a-f]{24}$/.test(last)) ??
      (idAt(records, address) ||
        idAt(records, origins.get(address) ?? '') ||
        idAt({ [address]: { identity: after ?? before } }, address))
    // A removal is shown as a removal, not by the end that it sets.
    const changing = fields.map(({ path }: any) => path.split(/[.[]/)[0])
    return [id, action === 'release' ? WHOLE : [...changing, ...sentFirst(notes)]] as const
  })
  return { document, fields: entries }
}

/** Fields that do not seem to change, but are sent first to learn from the answer, as a note says. */
const sentFirst = (notes: readonly string[] = []): string[] =>
  notes.flatMap((note) => /^(?<field>\w+) is sent first/.exec(note)?.groups?.['field'] ?? [])

/**
 * What others did to windows, keys and users and no event tells yet. Only an answer can show it, and it is just what
 * `--allow-overwrite` allows to overwrite.
 */
export const notEvident = (world: World, oracle: Oracle): ReadonlySet<Act> => {
  const { acts } = world.service
  const evident = new Set(acts.flatMap(({ id }) => foreignTo(world, oracle, id).evident))
  return new Set(acts.filter((act) => act.by !== 'run' && !evident.has(act)))
}

/**
 * Those among them at times that the service's clock has shown twice. Once the clock has passed these times again,
 * their events seem older than our last write. So a plan does not show them, and a write that repeats a known value to
 * settle a lost creation can overwrite them.
 */
export const livedTwice = (world: World, oracle: Oracle): ReadonlySet<Act> =>
  new Set([...notEvident(world, oracle)].filter(({ at }) => isLivedTwice(oracle, [at])))

/**
 * What events do not tell yet: a write that repeats a known value to settle a lost creation can overwrite it unseen.
 */
export const untold = ({ service, now }: World, { isUncertain }: Oracle): readonly Act[] =>
  isUncertain ? service.acts.filter(({ by, seenFrom }) => by !== 'run' && seenFrom > now) : []

/**
 * Acts with our key close to a write of ours, which look like our own: a write that repeats a known value can overwrite
 * them.
 */
export const toldAsOurs = ({ service: { acts } }: World): readonly Act[] =>
  acts.filter((act) => looksOwn(acts, act))

/**
 * Acts whose events became readable after the plan was made. The apply follows a newer plan of its own, which this
 * check does not see. As that plan sends the fields of their things, all that others did to these things is excluded.
 */
export const toldSince = ({ service, now }: World, plannedAt: number): readonly Act[] => {
  const acts = service.acts.filter(({ by }) => by !== 'run')
  const told = acts.filter(({ seenFrom }) => seenFrom > plannedAt && seenFrom <= now)
  const ids = new Set(told.map(({ id }) => id))
  return acts.filter(({ id }) => ids.has(id))
}

/**
 * A value that somebody else has set is overwritten only if the plan showed that its field will change, or if the act
 * is among `hidden`.
 */
export const checkOverwritten = (
  world: World,
  run: number,
  shown: Shown,
  hidden: ReadonlySet<Act> = new Set(),
): void => {
  if (shown === undefined) return
  const isShown = (id: string, name: string): boolean =>
    shown.fields.some(([each, fields]) => each === id && (fields === WHOLE || fields.includes(name)))
  const acts = world.actsOf(run)
  // Before the apply makes its own plan, it may repeat a known value to settle what was lost. The answer shows what
  // others did, so that plan shows it as well.
  const isAnswered = ({ id }: Act, index: number): boolean =>
    acts
      .slice(0, index)
      .some((each) => each.id === id && each.before !== undefined && changedBy(each).length === 0)
  const unseen = acts.flatMap((act, index) =>
    changedBy(act)
      .filter(
        (name) => isForeign(world, act, name, hidden) && !isShown(act.id, name) && !isAnswered(act, index),
      )
      .map((name) => ({ id: act.id, name, from: act.before[name], to: act.after[name] })),
  )
  expect(unseen, 'a value of somebody else is written over, and the plan did not show it').toEqual([])
}

const changedBy = ({ before, after, body }: Act): string[] =>
  before === undefined || after === undefined
    ? []
    : Object.keys(body ?? {}).filter((name) => !isDeepStrictEqual(before[name], after[name]))

const isForeign = (
  { service: { acts } }: World,
  act: Act,
  name: string,
  hidden: ReadonlySet<Act>,
): boolean => {
  const last = acts
    .slice(0, acts.indexOf(act))
    .findLast(({ id, before, after }) => id === act.id && !isDeepStrictEqual(before?.[name], after?.[name]))
  return last !== undefined && last.by !== 'run' && !hidden.has(last)
}
