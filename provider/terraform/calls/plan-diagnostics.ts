import type { KindDefinition } from '../../core/index.ts'
import { isConfigured, type Configured, type Connection } from '../connection/connection.ts'
import { hasErrors, type Diagnostic } from '../diagnostics.ts'
import type { ResourceChange } from '../resource/change.ts'
import { refusedAsLost } from '../resource/lost-memory.ts'
import { createdInState, refusedHandOver, refusedReplacement } from '../resource/made-once.ts'
import type { PlannedResource } from '../resource/plan.ts'
import { sayDestroy } from '../resource/destroying.ts'
import { previewResource } from '../resource/preview.ts'
import { missingOrganization, unreadableOrganization } from '../resource/watching.ts'
import { failingOnce } from './same-cause.ts'

/**
 * What a plan says about one resource. What other resources of the run claim comes before reads, which are only made
 * if there is no error yet.
 * @param planned what the plan from the arguments alone has found
 */
export const planDiagnostics = async (
  definition: KindDefinition,
  change: ResourceChange,
  planned: Pick<PlannedResource, 'diagnostics' | 'replacedBy'>,
  connection: Connection,
): Promise<readonly Diagnostic[]> => {
  const refused = refusedReplacement(definition, change, change.config)
  const isReplaced = planned.replacedBy.length > 0
  const isGivenUp = change.planned === null || isReplaced
  const lost = isGivenUp ? refusedAsLost(definition, change.prior, change.kept) : []
  const again = isConfigured(connection) ? createdInState(definition, change, connection) : []
  const acting = { ...change, isReplaced }
  // If it is refused, it does not matter what else it would need or do.
  const told = [refused, lost, again, planned.diagnostics].find(({ length }) => length > 0)
  const own = told ?? (await sayDestroy(definition, acting, connection))
  if (!isConfigured(connection)) return own
  // In a refused replacement, one resource gives the thing up and takes it up again: no other one is concerned.
  const handOver = refused.length > 0 ? [] : refusedHandOver(definition, change, connection)
  const unread = [...own, ...handOver]
  if (hasErrors(unread)) return unread
  return [...unread, ...(await byReading(definition, acting, connection))]
}

const byReading = async (
  definition: KindDefinition,
  change: ResourceChange & { readonly isReplaced: boolean },
  connection: Configured,
): Promise<readonly Diagnostic[]> => {
  const { prior, config } = change
  const { saidOnce } = connection
  const previewed = await failingOnce(previewResource(definition, change, connection), saidOnce, [])
  if (prior !== null || config === null) return previewed
  const found = [...previewed, ...missingOrganization(definition, config, connection)]
  // The same cause would be reported twice.
  if (hasErrors(found)) return found
  return [
    ...found,
    ...(await failingOnce(unreadableOrganization(definition, config, connection), saidOnce, [])),
  ]
}
