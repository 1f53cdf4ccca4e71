import { countBy } from '@deploymgmt/provider/core'
import { sectionOf, type Action } from '@deploymgmt/provider/engine'
import type { ChangeStatus } from '../../apply/result.ts'
import type { ApplyEvent, ApplyFinished } from '../document/apply-events.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import { hasDone, isWrite } from '../wording/effects.ts'
import { FOLD, LONG } from './folded.ts'
import type { ReportStyle } from '../document/reports.ts'
import { number } from '../../text/number.ts'

/** Similar results of a running apply, in few lines; every result that differs has its own line. */
interface Alike {
  /** Whether an event has a line of its own. */
  readonly isShown: (event: ApplyEvent) => boolean
  /** The number of events without a line, by what was done. */
  readonly rest: () => readonly string[]
}

type Planned = Pick<ReportedChange, 'address' | 'action' | 'requests' | 'onRemove'>

/** Deleted and released things are named nowhere else afterwards. */
const STAYS: readonly Action[] = ['create', 'adopt', 'update', 'moved']
/** Nothing was done: the plan has reported these, or the end does. */
const NOTHING_DONE: readonly ChangeStatus[] = ['blocked', 'skipped', 'expired']

/** How many lines are shown; undefined if each is to be read. */
const roomFor = ({ status, action, written }: ApplyFinished): typeof FOLD | typeof LONG | undefined => {
  if (NOTHING_DONE.includes(status)) return FOLD
  if (status !== 'done' || !STAYS.includes(action)) return undefined
  // Changes that send nothing fold as early as in a plan.
  return written === true ? LONG : FOLD
}

/**
 * Folds if more similar changes are planned than a terminal can hold. A log is read by searching it, so only what
 * sends nothing folds there, as in a plan.
 */
export const foldingOf = (
  { isTerminal, all, sameFlags = '' }: ReportStyle,
  planned: readonly Planned[],
): Alike => {
  const folds = (event: ApplyFinished): boolean =>
    all !== true && (isTerminal === true || (event.status === 'done' && event.written !== true))
  const ahead = countBy(all === true ? [] : planned, (change) =>
    deedOf({ ...change, written: isWrite(change) }),
  )
  const hidden = new Map<string, { readonly count: number; readonly status: ChangeStatus }>()
  const shown = new Map<string, number>()
  const countedShown = (key: string): number => {
    const count = (shown.get(key) ?? 0) + 1
    shown.set(key, count)
    return count
  }
  return {
    isShown: (event) => {
      if (event.type !== 'finished' || !folds(event)) return true
      const room = roomFor(event)
      const deed = event.status === 'done' ? deedOf(event) : endOf(event)
      // The number of changes that end without being done is not known in advance.
      const mayBe = event.status === 'done' ? (ahead[deed] ?? 0) : Number.POSITIVE_INFINITY
      if (room === undefined || mayBe <= room.over) return true
      const most = event.status === 'done' ? room.shown : room.over
      // Each remark must be shown at least once, and so must the fact that there are too many.
      const [alikeShown, allShown] = [countedShown(JSON.stringify([deed, event.notes])), countedShown(deed)]
      if (alikeShown <= most && allShown <= LONG.over) return true
      hidden.set(deed, { count: (hidden.get(deed)?.count ?? 0) + 1, status: event.status })
      return false
    },
    rest: () =>
      [...hidden].map(([deed, { count, status }]) => {
        const where = status === 'done' ? `; deploymgmt state list${sameFlags} names what is recorded` : ''
        return `    ${deed}: ${number(count)} more${where}`
      }),
  }
}

/** `users, skipped`. */
const endOf = ({ address, status }: ApplyFinished): string => `${sectionOf(address)}, ${status}`

/** `alertConfigurations, adopted and changed`. */
const deedOf = (
  of: Pick<Planned, 'address' | 'action' | 'onRemove'> & { readonly written?: boolean },
): string => `${sectionOf(of.address)}, ${hasDone(of)}`
