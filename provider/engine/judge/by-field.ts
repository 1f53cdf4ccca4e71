import type { Values } from '../../core/values.ts'

type ByValue = ReadonlyMap<unknown, readonly Values[]>

const indexes = new WeakMap<readonly Values[], Map<string, ByValue>>()

/**
 * The events that have a value in a field, in their order. Thousands of things ask about the same events, which
 * never change, so the events are indexed once for each field.
 */
export const eventsOf = (events: readonly Values[], field: string, value: unknown): readonly Values[] => {
  let fields = indexes.get(events)
  if (fields === undefined) indexes.set(events, (fields = new Map()))
  let byValue = fields.get(field)
  if (byValue === undefined) fields.set(field, (byValue = Map.groupBy(events, (event) => event[field])))
  return byValue.get(value) ?? []
}
