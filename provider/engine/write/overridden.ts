import type { KindDefinition } from '../../core/definition.ts'
import { pickBy, type Values } from '../../core/values.ts'
import { writableFields } from '../judge/standing.ts'
import type { Instance } from '../plan/expand.ts'
import { same } from '../values/compare.ts'
import type { RecordedResource } from '../values/model.ts'

/** Allows to write over what somebody else changed after the plan was made. */
export const OVERWRITE_FLAG = '--allow-overwrite'

/**
 * What we had applied of fields that were not sent, and that the answer shows to be neither as applied nor as
 * declared: somebody else has changed them. What the service has always answered so is its own spelling.
 */
export const overriddenIn = (
  { definition, desired, entry }: Instance,
  sent: readonly string[],
  start: RecordedResource,
  answer: Values,
): Values => {
  if (definition.observe.how === 'everything') return {}
  const [names, known] = [writableFields(definition), start.overridden ?? {}]
  return pickBy({ ...start.applied, ...known }, (ours, name) => {
    const field = definition.fields[name]
    if (field === undefined || !names.includes(name) || sent.includes(name)) return false
    if (field.lags || desired[name] === undefined || entry.ignoreChanges.includes(name)) return false
    if (answer[name] === undefined) return known[name] !== undefined
    if (same(field, answer[name], desired[name]) || same(field, answer[name], ours)) return false
    return known[name] !== undefined || !isAnsweredAsBefore(definition, name, start, answer)
  })
}

/** Whether the service answers a field as it last did, whatever was sent. */
export const isAnsweredAsBefore = (
  { fields }: KindDefinition,
  name: string,
  { answer: before }: RecordedResource,
  answer: Values,
): boolean => {
  const field = fields[name]
  return field !== undefined && before?.[name] !== undefined && same(field, before[name], answer[name])
}
