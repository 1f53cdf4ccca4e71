import { countBy } from '@deploymgmt/provider/core'
import type { Action } from '@deploymgmt/provider/engine'
import type { ApplyEvent } from './apply-events.ts'
import type { SaidChange } from './document.ts'
import { hasDone, isWrite } from './effects.ts'
import { LONG } from './grouped-addresses.ts'
import type { ReportStyle } from './reports.ts'
import { number } from './sentences.ts'

/** What many changes have done alike while an apply runs, in few lines; any that ended otherwise, each. */
export interface Alike {
  /** Whether an event has a line of its own. */
  readonly isShown: (event: ApplyEvent) => boolean
  /** How many had none, by what was done. */
  readonly rest: () => readonly string[]
}

type Planned = Pick<SaidChange, 'address' | 'action' | 'requests'>

/** What is gone after this is named nowhere else. */
const STAYS: readonly Action[] = ['create', 'adopt', 'update', 'moved']

/** Folds on a terminal alone, and where more of the kind are planned than it can hold: a log is read by searching it. */
export const alike = ({ isTerminal, all }: ReportStyle, planned: readonly Planned[]): Alike => {
  const folds = isTerminal === true && all !== true
  const ahead = countBy(folds ? planned : [], (change) => deedOf({ ...change, written: isWrite(change) }))
  const hidden = new Map<string, number>()
  const shown = new Map<string, number>()
  return {
    isShown: (event) => {
      if (event.type !== 'finished' || event.status !== 'done' || !STAYS.includes(event.action)) return true
      const deed = deedOf(event)
      if ((ahead[deed] ?? 0) <= LONG.over) return true
      // A remark is to be read, once at least.
      const key = JSON.stringify([deed, event.notes])
      const count = shown.get(key) ?? 0
      shown.set(key, count + 1)
      if (count < LONG.shown) return true
      hidden.set(deed, (hidden.get(deed) ?? 0) + 1)
      return false
    },
    rest: () =>
      [...hidden].map(
        ([deed, count]) => `    ${deed}: ${number(count)} more; deploymgmt state list names what is recorded`,
      ),
  }
}

/** `alertConfigurations, adopted and changed`. */
const deedOf = (of: Pick<Planned, 'address' | 'action'> & { readonly written?: boolean }): string =>
  `${of.address.split('.', 1)[0] ?? ''}, ${hasDone(of.action, of.written === true)}`
