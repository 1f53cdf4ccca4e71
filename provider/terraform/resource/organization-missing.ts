import { isNone, type KindDefinition } from '../../core/index.ts'
import { organizationsOf } from '../../engine/index.ts'
import type { Configured } from '../connection.ts'
import { warningAt } from '../diagnostics.ts'
import { declarationOf, identityIn } from './entry.ts'
import { toValues } from '../codec/values.ts'
import type { Diagnostic } from '../wire/common-messages.ts'
import { isWhollyKnown, type TerraformObject } from '../wire/value.ts'

/** Said once for all resources: where no organization is known, no event can tell of a change from outside. */
export const unwatched = (
  definition: KindDefinition,
  object: TerraformObject,
  { orgIds, said }: Configured,
): Diagnostic[] => {
  if (definition.observe.how === 'everything' || isNone(definition.witness)) return []
  const thing = { identity: identityIn(definition, object), applied: toValues(definition.fields, object) }
  // What is not known yet may name an organization.
  if (said.has(UNWATCHED) || !isWhollyKnown(object)) return []
  if (organizationsOf(thing, declarationOf([], orgIds)).length > 0) return []
  said.add(UNWATCHED)
  const reason = 'reason' in definition.observe ? definition.observe.reason : ''
  return [warningAt(undefined, UNWATCHED, `${definition.title}: ${reason} ${REMEDY}`)]
}

const UNWATCHED = 'the provider has no org_id: changes from outside cannot be noticed'
const REMEDY =
  'Only an organization’s events tell of such a change. Give the provider the org_id of the organization. This stands for every such resource.'
