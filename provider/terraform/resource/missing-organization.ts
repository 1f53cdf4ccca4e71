import { isNone, type KindDefinition } from '../../core/index.ts'
import { organizationsOf } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import type { Configured } from '../connection/connection.ts'
import { noOrganization } from '../words/configuration.ts'
import { warningAt, type Diagnostic } from '../diagnostics.ts'
import { declarationOf, fieldValues, identityIn } from './entry.ts'

/** Warns once for all resources: without a known organization, no event can tell of a change from outside. */
export const missingOrganization = (
  definition: KindDefinition,
  { values, unknown }: Plain,
  { orgIds, said }: Configured,
): Diagnostic[] => {
  if (definition.observe.how === 'everything' || isNone(definition.witness)) return []
  // A value that is not known yet may name an organization.
  if (said.has('no organization') || unknown.size > 0) return []
  const thing = { identity: identityIn(definition, values), applied: fieldValues(definition, values) }
  if (organizationsOf(definition, thing, declarationOf([], orgIds)).length > 0) return []
  said.add('no organization')
  return [warningAt(undefined, noOrganization(definition))]
}
