import { textOf, type KindDefinition, type Values } from '../../core/index.ts'
import { attributeName } from '../codec/names.ts'
import type { Text } from '../diagnostics.ts'
import { UNTAINT } from './applies.ts'
import { absenceOf, called, unreadableBecause } from './spelled.ts'

/** Messages about private state that Terraform no longer has, and about replacements, which get none. */

const AS_WHERE = 'as after an aborted apply'
export const lostMemory = (definition: KindDefinition, state: Values): Text => ({
  summary: `${definition.title}: what was remembered about it is lost, ${AS_WHERE}`,
  detail: `${called(definition, state)}. ${unreadableBecause(definition)} The state therefore has no values for what can be changed, and the next apply writes what is configured, except what ignore_changes names. A destroy goes by the previous attributes.`,
})
export const lostOriginal = (definition: KindDefinition, state: Values, way: string): Text => ({
  summary: `${definition.title}: what was remembered about it is lost, ${AS_WHERE}; on_remove = "${way}" cannot be done`,
  detail: `${called(definition, state)}. ${FORGET_FIRST}`,
})
const FORGET_FIRST =
  'It is not known what it was before Terraform managed it. Set on_remove to "forget" and apply that, or put a removed block with lifecycle { destroy = false } in the place of the resource; then restore it by hand.'

/** A state that this provider cannot have written. */
export const wrongState = ({ title }: KindDefinition, because: string): Text => ({
  summary: `${title}: its state is not one that this provider writes`,
  detail: `${because} Somebody edited the state, or another provider wrote it. Restore an earlier copy (terraform state push), or forget the resource with terraform state rm and import it again.`,
})

export const cannotPutBack = (definition: KindDefinition, prior: Values, way: string): Text => ({
  summary: `${called(definition, prior)}: on_remove = "${way}" cannot be done, because Terraform replaces a tainted resource without telling what it was before`,
  // While it is tainted, no apply can change on_remove.
  detail: `Nothing was sent. ${UNTAINT} To leave it as it is, untaint it, set on_remove to "forget", and apply that before you replace it.`,
})
export const originalLost = (definition: KindDefinition, prior: Values, way: string): Text => ({
  summary: `${called(definition, prior)}: on_remove = "${way}" cannot be done, because what was remembered about it is lost`,
  detail: `Nothing was sent. ${FORGET_FIRST}`,
})
export const cannotBeReplaced = (definition: KindDefinition, prior: Values): Text => ({
  summary: `${called(definition, prior)}: it cannot be replaced: it would be released, and nothing could create it again`,
  detail:
    `${absenceOf(definition)} Nothing was sent. Plan without -replace and replace_triggered_by. If it is tainted, run terraform untaint first.`.trim(),
})
export const replacedByUnknown = ({ title }: KindDefinition, key: string): Text => ({
  summary: `${title}: ${attributeName(key)} is known only after the apply, and may then name another one`,
  detail: 'Apply what it depends on first, for example with terraform apply -target=ADDRESS.',
})
/** The id names another thing than the rest of the configuration. */
export const namesAnother = ({ title, identity: { key, unique } }: KindDefinition, before: Values): Text => {
  const name = textOf(before[unique[0] ?? ''])
  const id = textOf(before[key])
  return {
    summary: `${attributeName(key)} names a different ${title.toLowerCase()} than ${name}, whose id is ${id}`,
    detail: `Nothing was sent. Remove ${attributeName(key)} or set it to ${id}, and declare the other ${title.toLowerCase()} in a resource of its own.`,
  }
}
export const createdThere = (definition: KindDefinition, values: Values): Text => ({
  summary: `${named(definition, values)}: the state has it already, and nothing can create it again`,
  detail:
    `${absenceOf(definition)} An apply refuses this. If the resource is tainted, run terraform untaint on it, and plan again. If it was renamed, add a moved block.`.trim(),
})
export const handedOver = (definition: KindDefinition, values: Values): Text => ({
  summary: `${named(definition, values)}: one resource would release it, and another one take it over`,
  detail: `${absenceOf(definition)} Nothing was sent. If the resource was renamed, add a moved block.`.trim(),
})
const named = ({ title, identity: { unique, key } }: KindDefinition, values: Values): string =>
  `${title} ${textOf(values[unique[0] ?? ''] ?? values[key])}`
