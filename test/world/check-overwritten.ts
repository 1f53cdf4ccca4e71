import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { Act } from './acts.ts'
import { idAt } from './check-apply.ts'
import { foreignTo, isLivedTwice, looksOwn, type Oracle } from './oracle.ts'
import { recordsOf, type World } from './world.ts'

/** Of each thing by its id, the fields that a plan shows as ones that will change; nothing where no plan was made. */
export type Shown =
  | {
      readonly document: any
      readonly fields: readonly (readonly [id: string, fields: readonly string[]])[]
    }
  | undefined

const WHOLE: readonly string[] = []

/** Asked right before an apply, and only where somebody else has written anything. */
export const shownNow = async (world: World, words: readonly string[]): Promise<Shown> => {
  if (world.service.acts.every(({ by }) => by === 'run')) return undefined
  const target = words[0] === '--target' ? words : []
  const { document } = await world.json(['plan', '--all', ...target])
  if (document?.changes === undefined) return undefined
  const records = await recordsOf(world)
  // What has got another name is recorded under the old one until then.
  const origins = new Map<string, string>(
    document.changes.flatMap(({ address, from }: any) => (from === undefined ? [] : [[address, from]])),
  )
  const entries = document.changes.map(({ address, action, before, after, fields, requests, notes }: any) => {
    // What takes the place of another one, and what an apply is to settle first, is named by its request alone; what
    // is not recorded yet by its values.
    const id =
      requests
        .map(({ path }: any) => path.split('/').at(-1))
        .find((last: string) => /^[0-9a-f]{24}$/.test(last)) ??
      (idAt(records, address) ||
        idAt(records, origins.get(address) ?? '') ||
        idAt({ [address]: { identity: after ?? before } }, address))
    // A removal is shown as one, and not by the end that it sets.
    const changing = fields.map(({ path }: any) => path.split(/[.[]/)[0])
    return [id, action === 'release' ? WHOLE : [...changing, ...sentFirst(notes)]] as const
  })
  return { document, fields: entries }
}

/** A field that does not seem to change and is sent nevertheless, for its answer: a note says so. */
const sentFirst = (notes: readonly string[] = []): string[] =>
  notes.flatMap((note) => /^(?<field>\w+) is sent first/.exec(note)?.groups?.['field'] ?? [])

/**
 * What others did to windows, keys and users, and no event tells by now: an answer alone can show it, and
 * `--allow-overwrite` is given to write over just that.
 */
export const notEvident = (world: World, oracle: Oracle): ReadonlySet<Act> => {
  const { acts } = world.service
  const evident = new Set(acts.flatMap(({ id }) => foreignTo(world, oracle, id).evident))
  return new Set(acts.filter((act) => act.by !== 'run' && !evident.has(act)))
}

/**
 * Those among them of times that the service's clock has shown twice. By events they are of before our last write
 * once the clock has come past that again, so that a plan shows nothing, and what repeats a known value to settle a
 * lost creation is sent there.
 */
export const livedTwice = (world: World, oracle: Oracle): ReadonlySet<Act> =>
  new Set([...notEvident(world, oracle)].filter(({ at }) => isLivedTwice(oracle, [at])))

/** What events do not tell yet: what repeats a known value to settle a lost creation is written over that unseen. */
export const untold = ({ service, now }: World, { isUncertain }: Oracle): readonly Act[] =>
  isUncertain ? service.acts.filter(({ by, seenFrom }) => by !== 'run' && seenFrom > now) : []

/** What is told as our own, by the same key and close to a write of ours: what repeats a known value is written over it. */
export const toldAsOurs = ({ service: { acts } }: World): readonly Act[] =>
  acts.filter((act) => looksOwn(acts, act))

/**
 * What events tell only since the plan was made: the apply plans anew and goes by that plan, which is not asked here.
 * With it goes whatever else others did to the same thing: its fields are sent then.
 */
export const toldSince = ({ service, now }: World, plannedAt: number): readonly Act[] => {
  const acts = service.acts.filter(({ by }) => by !== 'run')
  const told = acts.filter(({ seenFrom }) => seenFrom > plannedAt && seenFrom <= now)
  const ids = new Set(told.map(({ id }) => id))
  return acts.filter(({ id }) => ids.has(id))
}

/**
 * A value that somebody else has given is written over only where the plan showed that its field will change, or
 * where it is one of those `hidden` acts.
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
  // What repeats a known value to settle what was lost is answered before the apply makes its own plan, which shows it.
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
