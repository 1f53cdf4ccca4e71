import { asSentence, textOf, type Identity, type KindDefinition, type Values } from '../../core/index.ts'
import { SelectorConflictError } from '../../errors/index.ts'
import { fewOf } from '../../words/index.ts'
import { attributeName } from '../codec/names.ts'
import type { Text } from '../diagnostics.ts'

/** Messages about two resources for one thing. Terraform tells a provider no addresses, so values identify them. */

/** What a planned resource declares of a thing that it stands for. */
export interface Declaring {
  readonly values: Values
  /** The attribute that names or selects the thing, with its value. */
  readonly by: { readonly at: string; readonly value: unknown } | undefined
  /** The id of the resource in the state; undefined before it is there. */
  readonly stateId: string | undefined
}

/** A thing to which a planned destroy sends a request. */
export interface Undone {
  readonly identity: Identity
  /** Its `on_remove`. */
  readonly way: string
  readonly stateId: string
}

interface Conflict {
  readonly things: readonly Identity[]
  readonly field: string
  readonly mine: Declaring
  readonly other: Declaring
}

export const claimedTwice = (
  { title, identity: { key }, fields, expand }: KindDefinition,
  { things, field, mine, other }: Conflict,
): Text => {
  const ids = things.map((identity) => identity[key] ?? '')
  // Terraform does not tell which values are sensitive.
  const isHarmless = ['boolean', 'enum'].includes(fields[field]?.type.is ?? '')
  const selector = expand.members?.by
  const selects = selector !== undefined && [mine, other].some(({ by }) => by?.at === selector)
  const values = isHarmless ? `Here ${shown(mine.values[field])}, there ${shown(other.values[field])}; ` : ''
  return {
    summary: `${SelectorConflictError.code}: ${title} ${fewOf(ids)}: another resource manages it too, with another value of ${attributeName(field)}`,
    detail: `${asSentence(`${values}${whichIs(other)}`)} Nothing was sent: the two would undo each other’s changes. Leave it to one of the two resources${selects ? `, or change ${attributeName(selector)}` : ''}.`,
  }
}

/** The attribute that names it in the configuration, and how to find it in the state. */
const whichIs = ({ by, stateId }: Declaring): string => {
  if (by === undefined) return 'Terraform does not tell which one that is'
  const list = stateId === undefined ? '' : ` (terraform state list -id=${stateId})`
  return `the other one has ${attributeName(by.at)} = ${shown(by.value)}${list}`
}

/** A value as configurations spell it. */
const shown = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : textOf(value)
  const parts = Object.entries(value).filter(([, part]) => part !== undefined && part !== null)
  return `{ ${parts.map(([name, part]) => `${attributeName(name)} = ${shown(part)}`).join(', ')} }`
}

export const undoneByDestroy = (
  { title, identity: { key } }: KindDefinition,
  { identity, way, stateId }: Undone,
): Text => ({
  summary: `${SelectorConflictError.code}: ${title} ${identity[key] ?? ''}: one of two resources for it would be destroyed, and its on_remove = "${way}" would undo what the other one declares`,
  detail: `Nothing was sent. Forget that resource instead: with a removed block that has destroy = false, or with terraform state rm (terraform state list -id=${stateId}). Or set its on_remove to "forget", and apply that first.`,
})

export const createdTwice = ({ title, identity: { key } }: KindDefinition, name: string): Text => ({
  summary: `${SelectorConflictError.code}: ${title} ${name}: another resource of this configuration creates or names it too`,
  detail: `Nothing was sent: the service accepts this name only once. Declare it in one resource; if it exists already, adopt it there by its ${attributeName(key)}.`,
})
