import type { ApplyEvent, ApplyFinished } from './apply-events.ts'
import { LONG, moreLikeIt } from './grouped-addresses.ts'
import type { ReportStyle } from './reports.ts'

/** What many changes do alike while an apply runs, in few lines; what came of one that is not known, each. */
export interface Alike {
  /** Whether an event has a line of its own. */
  readonly isShown: (event: ApplyEvent) => boolean
  /** How many had none, by what became of them. */
  readonly rest: () => readonly string[]
}

/** Folds on a terminal alone: a log is read by searching it. */
export const alike = ({ isTerminal, all }: ReportStyle): Alike => {
  const folds = isTerminal === true && all !== true
  const counts = new Map<string, { readonly first: ApplyFinished; count: number }>()
  return {
    isShown: (event) => {
      if (!folds || event.type !== 'finished' || event.status === 'unknown') return true
      const key = keyOf(event)
      const group = counts.get(key) ?? { first: event, count: 0 }
      counts.set(key, group)
      group.count += 1
      return group.count <= LONG.shown
    },
    rest: () =>
      [...counts.values()]
        .filter(({ count }) => count > LONG.shown)
        .map(
          ({ first, count }) =>
            `    ${sectionOf(first)}, ${wordOf(first)}: ${moreLikeIt(count - LONG.shown)}`,
        ),
  }
}

const sectionOf = ({ address }: ApplyFinished): string => address.split('.', 1)[0] ?? ''

const wordOf = ({ status, action }: ApplyFinished): string => (status === 'done' ? action : status)

const keyOf = (event: ApplyFinished): string =>
  JSON.stringify([
    sectionOf(event),
    event.action,
    event.status,
    event.written,
    event.notes,
    event.error?.code,
  ])
