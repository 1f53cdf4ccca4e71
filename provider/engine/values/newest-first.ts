import { parseInstant } from '../../core/instant.ts'
import type { Values } from '../../core/values.ts'

/** Sorts events, newest first. */
export const newestFirst = (events: readonly Values[]): Values[] =>
  newestFirstBy(events, ({ created }) => created)

/**
 * Sorts newest first. Instants are seldom more exact than a second, and lists of the service begin with the newest,
 * so items of one instant keep their order.
 */
export const newestFirstBy = <T>(items: readonly T[], instantOf: (item: T) => unknown): T[] => {
  const at = (item: T): number => parseInstant(String(instantOf(item)))
  return items.toSorted((a, b) => at(b) - at(a))
}
