import { parseInstant } from '../../core/instant.ts'
import type { Values } from '../../core/values.ts'

/** Events, the newest first. */
export const newestFirst = (events: readonly Values[]): Values[] =>
  newestFirstBy(events, ({ created }) => created)

/**
 * The newest first. An instant is seldom more exact than its second, and lists of the service begin with the newest:
 * what is of one instant stays in their order.
 */
export const newestFirstBy = <T>(items: readonly T[], instantOf: (item: T) => unknown): T[] => {
  const at = (item: T): number => parseInstant(String(instantOf(item)))
  return items.toSorted((a, b) => at(b) - at(a))
}
