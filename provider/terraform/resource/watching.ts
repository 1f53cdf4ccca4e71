import { isNone, isReadable, type KindDefinition } from '../../core/index.ts'
import { organizationsOf, readNeeded } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import type { Configured } from '../connection/connection.ts'
import { noOrganization } from '../words/configuration.ts'
import { worded } from '../words/plans.ts'
import { warningAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, declarationOf, fieldValues, identityIn, recordFrom } from './entry.ts'

/** Warns once for all resources: without a known organization, no event can tell of a change from outside. */
export const missingOrganization = (
  definition: KindDefinition,
  config: Plain,
  { orgIds, saidOnce }: Configured,
): Diagnostic[] => {
  const watching = watchingOf(definition, config, orgIds)
  if (watching === undefined || watching.length > 0 || !saidOnce.isFirst(['no-organization'])) return []
  return [warningAt(undefined, noOrganization(definition))]
}

/**
 * Warns where the events of a new thing cannot be read, as the next plan would: if the answer to its creation is lost,
 * they alone show what it made. Asked once for all resources that the same organizations watch.
 */
export const unreadableOrganization = async (
  definition: KindDefinition,
  config: Plain,
  { orgIds, saidOnce, reads, kinds, client }: Configured,
): Promise<Diagnostic[]> => {
  const watching = watchingOf(definition, config, orgIds) ?? []
  if (watching.length === 0 || !saidOnce.isFirst(['watched-by', watching])) return []
  const now = new Date(client.serviceNow()).toISOString()
  const { log } = await readNeeded(reads.shared, {
    definitions: [definition],
    declaration: declarationOf([], orgIds),
    records: { [addressOf(definition)]: recordFrom(definition, config.values, now) },
    look: 'at-everything',
    withRaw: true,
    lists: reads.lists,
    provenBy: kinds,
  })
  return log.warnings.map((warning) => warningAt(undefined, worded(warning)))
}

/** The organizations whose events tell of a thing; undefined if it needs none, or may name one that is not known yet. */
const watchingOf = (
  definition: KindDefinition,
  { values, unknown }: Plain,
  orgIds: readonly string[],
): readonly string[] | undefined => {
  if (isReadable(definition) || isNone(definition.witness) || unknown.size > 0) return undefined
  const thing = { identity: identityIn(definition, values), applied: fieldValues(definition, values) }
  return organizationsOf(definition, thing, declarationOf([], orgIds))
}
