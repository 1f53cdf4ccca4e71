import type { KindDefinition } from '../../core/index.ts'
import { hasEnded } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import { isConfigured, type Connection } from '../connection/connection.ts'
import { warningAt, type Diagnostic } from '../diagnostics.ts'
import { destroyDoes, destroySendsNothing } from '../words/plans.ts'
import type { ResourceChange } from './change.ts'
import { isJustApplied, isOver, onRemoveIn } from './entry.ts'
import { lookAhead } from './preview.ts'

/** What a destroy will do, also that of a replacement; nothing if none is planned. */
export const sayDestroy = async (
  definition: KindDefinition,
  change: ResourceChange & { readonly isReplaced: boolean },
  connection: Connection,
): Promise<Diagnostic[]> => {
  const { prior, planned, isReplaced } = change
  if (prior === null || (planned !== null && !isReplaced)) return []
  const { values } = prior
  const sendsNothing = isOver(prior) || (await hasEndedSince(definition, change, prior, connection))
  return [
    warningAt(
      undefined,
      sendsNothing
        ? destroySendsNothing(definition, values)
        : destroyDoes(definition, values, onRemoveIn(definition, values)),
    ),
  ]
}

/** Terraform plans the destroy of what is no longer configured from the state as it was before the refresh. */
const hasEndedSince = async (
  definition: KindDefinition,
  change: ResourceChange,
  prior: Plain,
  connection: Connection,
): Promise<boolean> => {
  if (!isConfigured(connection)) return false
  if (isJustApplied(definition, prior, connection)) return false
  if (!hasEnded(definition, prior.values, new Date(connection.client.serviceNow()))) return false
  // A read that fails is an error of the refresh, and of the destroy itself.
  const run = await lookAhead(definition, { ...change, planned: null }, connection).catch(() => undefined)
  return run?.plan.planned.some(({ change: { reason } }) => reason.code === 'undeclared-ended') === true
}
