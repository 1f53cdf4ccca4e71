import type { KindDefinition, ReleaseWay } from '../../core/index.ts'
import { writableFields, type Records } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import type { PrivateState } from '../codec/private-state.ts'
import { cannotBeReplaced, cannotPutBack } from '../words/memory.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, onRemoveIn, recordFrom } from './entry.ts'
import { isMadeOnce } from './made-once.ts'
import { mapIn, membersOf } from './members.ts'

/**
 * Whether Terraform replaces a tainted object: it plans a creation, and the destroy gets the attributes but no
 * private state.
 */
export const isForgotten = (planned: Plain | null, kept: PrivateState): boolean =>
  planned === null && kept.is === 'none'

/** Refuses a destroy that would go wrong with attributes alone. */
export const refusedWithoutMemory = (definition: KindDefinition, prior: Plain): Diagnostic[] => {
  const way = wayToPutBack(definition, prior)
  if (way !== undefined) return [errorAt(undefined, cannotPutBack(definition, prior.values, way))]
  return isMadeOnce(definition) ? [errorAt(undefined, cannotBeReplaced(definition, prior.values))] : []
}

/** Records from the attributes alone; a null value counts as unsure. */
export const recordsFromState = (definition: KindDefinition, { values }: Plain, at: Date): Records => {
  const way = definition.release[onRemoveIn(definition, values)]
  if (way?.way !== 'send' || putsBack(way) || values['id'] === undefined) return {}
  const unsure = writableFields(definition).filter((name) => values[name] === undefined)
  const record = {
    ...recordFrom(definition, values, at.toISOString()),
    ...(unsure.length === 0 ? {} : { unsure }),
  }
  return { [addressOf(definition)]: record }
}

/** Whether a way of release needs to remember what the thing was before. */
export const putsBack = (way: ReleaseWay | undefined): boolean =>
  way?.way === 'send' && way.ifUntouched === true

/** The way of release by which a destroy puts the thing back, if it does and the thing exists. */
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
