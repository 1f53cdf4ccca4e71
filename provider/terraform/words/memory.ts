import { textOf, type KindDefinition, type Values } from '../../core/index.ts'
import { attributeName } from '../codec/names.ts'
import type { Text } from '../diagnostics.ts'
import { UNTAINT } from './applies.ts'
import { absenceOf, called, unreadableBecause } from './spelled.ts'

/** Messages about private state that Terraform no longer has, and about replacements, which get none. */

const AS_WHERE = 'as happens when an apply was aborted'
export const lostMemory = (definition: KindDefinition, state: Values): Text => ({
  summary: `${definition.title}: what was remembered about it is lost, ${AS_WHERE}`,
  detail: `${called(definition, state)}. ${unreadableBecause(definition)} The state has no values for what a call can change, so the next apply asserts what is configured, except what ignore_changes names. Destroying it does what its former attributes say.`,
})
export const lostOriginal = (definition: KindDefinition, state: Values, way: string): Text => ({
  summary: `${definition.title}: what was remembered about it is lost, ${AS_WHERE}; on_remove = "${way}" cannot be done`,
  detail: `${called(definition, state)}. ${FORGET_FIRST}`,
})
const FORGET_FIRST =
  'Nobody knows what it was before Terraform had it. Apply on_remove = "forget", and put it back by hand.'

/** A state that this provider cannot have written. */
export const wrongState = ({ title }: KindDefinition, because: string): Text => ({
  summary: `${title}: its state is not one that this provider writes`,
  detail: `${because} Somebody edited the state, or another provider wrote it. Restore an earlier copy (terraform state push), or forget the resource with terraform state rm and import it again.`,
})

export const cannotPutBack = (definition: KindDefinition, prior: Values, way: string): Text => ({
  summary: `${called(definition, prior)}: on_remove = "${way}" cannot be done, because Terraform does not tell a replacement what it was before`,
  detail: `Nothing was sent. ${UNTAINT} Or apply on_remove = "forget" first.`,
})
export const originalLost = (definition: KindDefinition, prior: Values, way: string): Text => ({
  summary: `${called(definition, prior)}: on_remove = "${way}" cannot be done, because what was remembered about it is lost`,
  detail: `Nothing was sent. ${FORGET_FIRST}`,
})
export const cannotBeReplaced = (definition: KindDefinition, prior: Values): Text => ({
  summary: `${called(definition, prior)}: it cannot be replaced: it would be given up, and nothing could create it again`,
  detail:
    `${absenceOf(definition)} Nothing was sent. Plan without the replacement: without -replace, without replace_triggered_by, and after terraform untaint if it is tainted.`.trim(),
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
    detail: `Nothing was sent. Take ${attributeName(key)} out or set it to ${id}; declare the other one in a resource of its own.`,
  }
}
export const handedOver = (definition: KindDefinition, values: Values): Text => ({
  summary: `${definition.title} ${textOf(values[definition.identity.unique[0] ?? ''] ?? values[definition.identity.key])}: one resource gives it up, and another takes it over`,
  detail: `${absenceOf(definition)} Nothing was sent. Rename the resource with a moved block.`.trim(),
})
