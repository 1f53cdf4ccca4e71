import { camelToSnake, isNone, textOf, type KindDefinition, type ReleaseWay } from '../../core/index.ts'
import type { RecordedResource } from '../../engine/index.ts'
import { errorAt } from '../diagnostics.ts'
import type { PrivateState } from '../codec/private-state.ts'
import { addressOf, defaultRelease, importedRecord } from './entry.ts'
import { standsForSeveral } from './members.ts'
import { toValues } from '../codec/values.ts'
import type { Diagnostic } from '../wire/common-messages.ts'
import type { TerraformObject } from '../wire/value.ts'

/**
 * Where Terraform replaces a tainted object, it plans a creation and hands the destroy no private state: what
 * was remembered is not there, and the attributes are.
 */
export const isForgotten = (
  prior: TerraformObject | null,
  planned: TerraformObject | null,
  kept: PrivateState,
): prior is TerraformObject => prior !== null && planned === null && kept.lost === true

/** What a destroy by attributes alone would do wrong, so that it is not done at all. */
export const refusedWithoutMemory = (definition: KindDefinition, prior: TerraformObject): Diagnostic[] => {
  const name = `${definition.title} ${textOf(prior['id'])}`
  const untaint = 'Use terraform untaint on it, and plan again: that brings back what Terraform remembers.'
  if (putsBack(wayOf(definition, prior)) && isThere(definition, prior))
    return [
      errorAt(
        undefined,
        `${name}: on_remove = "${onRemoveOf(definition, prior)}" cannot be done, for Terraform does not tell a replacement what it was before`,
        `Nothing was sent. ${untaint} Or apply on_remove = "forget" first.`,
      ),
    ]
  return isMadeOnce(definition, prior)
    ? [
        errorAt(
          undefined,
          `${name}: it cannot be replaced; it would be given up, and the creation would meet it`,
          `${isNone(definition.absence) ? definition.absence.none : ''} ${untaint}`.trim(),
        ),
      ]
    : []
}

/** What the attributes tell of a thing; a value that is not known has to be taken for unsure. */
export const recordsFromState = (
  definition: KindDefinition,
  prior: TerraformObject,
  at: Date,
): Readonly<Record<string, RecordedResource>> => {
  const way = wayOf(definition, prior)
  if (way?.way !== 'send' || putsBack(way) || (prior['id'] ?? null) === null) return {}
  const writable = isNone(definition.write) ? [] : definition.write.fields
  const unsure = writable.filter((name) => (prior[camelToSnake(name)] ?? null) === null)
  const record = {
    ...importedRecord(definition, prior, at.toISOString()),
    applied: toValues(definition.fields, prior),
    ...(unsure.length === 0 ? {} : { unsure }),
  }
  return { [addressOf(definition)]: record }
}

const onRemoveOf = (definition: KindDefinition, prior: TerraformObject): string =>
  typeof prior['on_remove'] === 'string' ? prior['on_remove'] : defaultRelease(definition)

const wayOf = (definition: KindDefinition, prior: TerraformObject): ReleaseWay | undefined =>
  definition.release[onRemoveOf(definition, prior)]

/** What it was before has to be remembered for that. */
export const putsBack = (way: ReleaseWay | undefined): boolean =>
  way?.way === 'send' && way.ifUntouched === true

const isThere = (definition: KindDefinition, prior: TerraformObject): boolean => {
  const { members } = definition.expand
  if (members !== undefined && standsForSeveral(definition, prior))
    return Object.keys((prior[camelToSnake(members.map)] ?? {}) as TerraformObject).length > 0
  return prior['present'] !== false
}

/** It was created and not adopted, nothing deletes it, and a second creation is answered with a conflict. */
const isMadeOnce = ({ establish }: KindDefinition, prior: TerraformObject): boolean => {
  const { create, adopt } = establish
  if (isNone(create) || create.conflict === undefined || isNone(adopt)) return false
  return adopt.requires !== undefined && prior[camelToSnake(adopt.requires.field)] !== true
}
