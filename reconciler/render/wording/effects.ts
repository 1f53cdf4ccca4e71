import { countBy } from '@deploymgmt/provider/core'
import type { PlanDocument, ReportedChange } from '../document/plan-model.ts'
import { number } from '../../text/number.ts'

/**
 * Whether it changes nothing, neither at the service nor in the record of a thing. Only such changes may be folded
 * away.
 */
export const isQuiet = ({ action, fields, requests }: ReportedChange): boolean =>
  requests.length === 0 && (action === 'blocked' || fields.length === 0)

/** Whether carrying it out sends something. */
export const isWrite = ({ requests }: Pick<ReportedChange, 'requests'>): boolean => requests.length > 0

interface Words {
  readonly plain: string
  /** The words with a request, if the action can also do without one. */
  readonly writing?: string
  /** The words for a way of release that sends something; its name is a regular verb. */
  readonly way?: (onRemove: string) => string
}

/** Planned changes, after a count. An adoption that changes something counts as a change. */
export const TO_DO = {
  create: { plain: 'to create' },
  adopt: { plain: 'to adopt', writing: 'to adopt and change' },
  update: { plain: 'to change' },
  moved: { plain: 'to rename' },
  delete: { plain: 'to delete' },
  release: { plain: 'to leave unmanaged', writing: 'to release', way: (name) => `to ${name}` },
} as const satisfies Partial<Record<ReportedChange['action'], Words>>

/** The same after they were done. */
export const DONE = {
  create: { plain: 'created' },
  adopt: { plain: 'adopted', writing: 'adopted and changed' },
  update: { plain: 'changed' },
  moved: { plain: 'renamed' },
  delete: { plain: 'deleted' },
  release: {
    plain: 'left unmanaged',
    writing: 'released',
    way: (name) => `${name}${name.endsWith('e') ? 'd' : 'ed'}`,
  },
} as const satisfies Record<keyof typeof TO_DO, Words>

export type Acting = keyof typeof TO_DO
export const ACTING = Object.keys(TO_DO) as Acting[]

export const isActing = (action: ReportedChange['action']): action is Acting => action in TO_DO

type Effect = Pick<ReportedChange, 'action' | 'onRemove'>

/** A planned change, after a count or a name. */
export const toDo = (change: Effect & Pick<ReportedChange, 'requests'>): string =>
  wordsFor(TO_DO, change, isWrite(change))

/** A done change, in the words of its count. */
export const hasDone = (change: Effect & { readonly written?: boolean }): string =>
  wordsFor(DONE, change, change.written === true)

type AllWords = Readonly<Record<Acting, Words>>

const wordsFor = (words: AllWords, { action, onRemove }: Effect, isWritten: boolean): string => {
  if (!isActing(action)) return action
  const { plain, writing = plain, way } = words[action]
  if (!isWritten) return plain
  return onRemove === undefined || way === undefined ? writing : way(onRemove)
}

interface Counted {
  readonly all: number
  readonly writes: number
  /** Those of the writes that release something, by way. */
  readonly ways?: Readonly<Record<string, number>> | undefined
}

/** The number of writes that turn something off: by action, and by way for releases that have one. */
type TurnedOff = Readonly<Record<string, number>>

export const turnedOffIn = (
  written: readonly Pick<ReportedChange, 'action' | 'onRemove' | 'turnsOff'>[],
): TurnedOff => countsOf(written.filter(turnsOff).map(({ action, onRemove }) => onRemove ?? action))

/** The number of changes by action; those that send something are separate from those that do not. */
export const actingCounts = (
  words: AllWords,
  count: (action: Acting) => Counted,
  off: TurnedOff = {},
): { readonly action: Acting; readonly count: number; readonly label: string }[] =>
  ACTING.flatMap((action) => {
    const { all, writes, ways = {} } = count(action)
    const { plain, writing, way } = words[action]
    const told = (amount: number, label: string, key: string = action) => ({
      action,
      count: amount,
      label: `${label}${sayTurnedOff(off[key] ?? 0, amount)}`,
    })
    if (writing === undefined) return [told(all, plain)]
    const inWays = way === undefined ? [] : Object.entries(ways)
    const others = inWays.reduce((left, [, times]) => left - times, writes)
    return [
      { action, count: all - writes, label: plain },
      ...inWays.map(([name, times]) => told(times, way?.(name) ?? writing, name)),
      told(others, writing),
    ]
  })

type Planned = Pick<PlanDocument, 'summary' | 'changes'>

/** The same for a plan. */
export const plannedCounts = ({ summary, changes }: Planned): ReturnType<typeof actingCounts> => {
  const written = changes.filter(isWrite)
  const writes = countBy(written, ({ action }) => action)
  return actingCounts(
    TO_DO,
    (action) => ({
      all: summary[action],
      writes: writes[action] ?? 0,
      ...(action === 'release' ? { ways: waysOf(written) } : {}),
    }),
    turnedOffIn(written),
  )
}

/** How many of these are released in each way. */
export const waysOf = (changes: readonly Pick<ReportedChange, 'onRemove'>[]): Record<string, number> =>
  countsOf(changes.flatMap(({ onRemove }) => onRemove ?? []))

const countsOf = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, those]) => [name, those.length]))

/** For readers of counts alone: ` (7 turned off)`. */
const sayTurnedOff = (count: number, among: number): string => {
  if (count === 0) return ''
  if (among === 1) return ' (turned off)'
  return ` (${count === among ? 'all' : number(count)} turned off)`
}

/** Whether it turns off something that is on, as far as is known. */
export const turnsOff = ({ turnsOff: is }: Pick<ReportedChange, 'turnsOff'>): boolean => is === true

/** How many of these changes are in each project, by id, in the order of their first. */
export const projectCounts = (
  changes: readonly ReportedChange[],
): (readonly [id: string, count: number])[] => {
  const ids = changes.flatMap(({ before, after }) => {
    const id = (after ?? before)?.['projectId']
    return typeof id === 'string' ? [id] : []
  })
  return [...Map.groupBy(ids, (id) => id)].map(([id, those]) => [id, those.length])
}
