import type { KindDefinition, ReleaseWay } from '../../core/index.ts'
import { writableFields, type Records } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import type { PrivateState } from '../codec/private-state.ts'
import { cannotBeReplaced, cannotPutBack } from '../words/memory.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, fieldValues, importedRecord, onRemoveIn } from './entry.ts'
import { isMadeOnce } from './made-once.ts'
import { mapIn, membersOf } from './members.ts'

/**
 * Where Terraform replaces a tainted object, it plans a creation and hands the destroy no private state: what
 * was remembered is not there, and the attributes are.
 */
export const isForgotten = (planned: Plain | null, kept: PrivateState): boolean =>
  planned === null && kept.is === 'none'

/** What a destroy by attributes alone would do wrong, so that it is not done at all. */
export const refusedWithoutMemory = (definition: KindDefinition, prior: Plain): Diagnostic[] => {
  const way = wayToPutBack(definition, prior)
  if (way !== undefined) return [errorAt(undefined, cannotPutBack(definition, prior.values, way))]
  return isMadeOnce(definition) ? [errorAt(undefined, cannotBeReplaced(definition, prior.values))] : []
}

/** What the attributes tell of a thing; a value that is not known has to be taken for unsure. */
export const recordsFromState = (definition: KindDefinition, { values }: Plain, at: Date): Records => {
  const way = definition.release[onRemoveIn(definition, values)]
  if (way?.way !== 'send' || putsBack(way) || values['id'] === undefined) return {}
  const unsure = writableFields(definition).filter((name) => values[name] === undefined)
  const record = {
    ...importedRecord(definition, values, at.toISOString()),
    applied: fieldValues(definition, values),
    ...(unsure.length === 0 ? {} : { unsure }),
  }
  return { [addressOf(definition)]: record }
}

/** What it was before has to be remembered for that. */
export const putsBack = (way: ReleaseWay | undefined): boolean =>
  way?.way === 'send' && way.ifUntouched === true

/** How it is to be put back, where that is what a destroy does, and it is there. */
export const wayToPutBack = (definition: KindDefinition, prior: Plain): string | undefined => {
  const way = onRemoveIn(definition, prior.values)
  return putsBack(definition.release[way]) && isThere(definition, prior) ? way : undefined
}

const isThere = (definition: KindDefinition, prior: Plain): boolean => {
  const members = membersOf(definition, prior)
  return members === undefined
    ? prior.values['present'] !== false
    : Object.keys(mapIn(members, prior)).length > 0
}
