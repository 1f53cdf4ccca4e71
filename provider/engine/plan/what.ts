import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { whatLive, whatSelected } from '../judge/what.ts'
import type { Observations } from '../read/observe.ts'
import { declaredIdentity } from '../values/identity.ts'
import type { Change } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

/** Adds what the thing is to each change that a person is shown, unless its entry says so. */
export const withWhat = (
  planned: readonly PlannedChange[],
  definitions: readonly KindDefinition[],
  observed: Observations,
): PlannedChange[] => {
  return planned.map((each) => {
    const what = whatOf(each.change, definitions, observed)
    return what === '' ? each : { ...each, change: { ...each.change, what } }
  })
}

/** What a planned thing is, for a person, as far as it was read. */
export const whatPlanned = (
  { kind, before, after }: Pick<Change, 'kind' | 'before' | 'after'>,
  definitions: readonly KindDefinition[],
  observed: Observations,
): string => {
  const definition = definitionOf(definitions, kind)
  const values = after ?? before
  return definition === undefined || values === null ? '' : whatRead(definition, values, observed)
}

const whatRead = (definition: KindDefinition, values: Values, observed: Observations): string =>
  whatLive(definition, declaredIdentity(definition, values), observed)

const whatOf = (
  { kind, action, before, after }: Change,
  definitions: readonly KindDefinition[],
  observed: Observations,
): string => {
  const definition = definitionOf(definitions, kind)
  const values = after ?? before
  // Unchanged things are not listed.
  if (definition === undefined || values === null || action === 'unchanged') return ''
  const live = whatRead(definition, values, observed)
  const selected = whatSelected(definition, values)
  // No entry is left that says what it stood for.
  if (after === null) return live === '' ? selected : live
  return live === selected ? '' : live
}
