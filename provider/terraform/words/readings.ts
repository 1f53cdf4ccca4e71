import {
  configurationSpelling,
  textOf,
  type Field,
  type KindDefinition,
  type Values,
} from '../../core/index.ts'
import { elementOf, type Actor, type Change } from '../../engine/index.ts'
import { actorText, deedIn, sayElements, SURENESS } from '../../words/index.ts'
import { attributeName } from '../codec/names.ts'
import type { Text } from '../diagnostics.ts'
import { words } from './engine.ts'
import { called, names, placeIn, unreadableBecause, WITH_OWN_KEY } from './spelled.ts'
import { stepAndNotes } from './plans.ts'

/**
 * Messages of a read. Terraform merges warnings with the same summary and shows the detail of one, so the ids are in
 * the detail, and who did it, which may not be lost, in the summary.
 */

/** Why something is as it is, and who has made it so. */
export const becauseOf = (
  definition: KindDefinition,
  state: Values,
  { reason, notes = [], actor }: Pick<Change, 'reason' | 'notes'> & { readonly actor?: Actor | undefined },
  ownKey: string,
): Text => {
  const told = actor === undefined ? '' : ` ${toldBy(actor, ownKey)}`
  const done = actor === undefined ? '' : `; ${deedIn(reason.code)} outside of Terraform${byActor(actor)}`
  return {
    summary: `${definition.title}: ${words.says(reason)}${done}`,
    detail: `${called(definition, state)}.${told} ${stepAndNotes(reason, notes)}`.trim(),
  }
}

interface Outside {
  readonly fields: readonly string[]
  readonly actor: Actor | undefined
  /** The provider's. */
  readonly ownKey: string
  /** That of the thing, if it is known: a resource can stand for several. */
  readonly key: unknown
}
export const changedOutside = (
  definition: KindDefinition,
  state: Values,
  { fields, actor, ownKey, key }: Outside,
): Text => ({
  summary: `${definition.title}: ${names(fields)} changed outside of Terraform${byActor(actor)}`,
  detail: `${which(definition, state, key)}. ${toldBy(actor, ownKey)}`,
})
const which = (definition: KindDefinition, state: Values, key: unknown): string =>
  key === undefined
    ? called(definition, state)
    : `${definition.title} ${placeIn(definition, state)}/${textOf(key)}`
/** What an event says that a field was given, or that a person was invited to. */
export interface Told {
  readonly name: string
  readonly eventTypeName: string
  readonly value?: unknown
  readonly invited?: unknown
}
/**
 * No endpoint shows the values, and an event may be about one of the fields or all of them, so none is called
 * changed.
 */
export const perhapsChangedOutside = (
  definition: KindDefinition,
  state: Values,
  { fields, actor, told, ownKey, key }: Outside & { readonly told: readonly Told[] },
): Text => ({
  // The value, which may not be lost either, comes last, because it can be long.
  summary: `${definition.title}: ${names(fields)} may have been changed outside of Terraform${byActor(actor)}${saying(definition, told)}`,
  detail: `${which(definition, state, key)}. ${toldBy(actor, ownKey)} No endpoint shows the values, so the state has none; the next apply asserts what is configured, except what ignore_changes names.`,
})
/** By event type: `; MAINTENANCE_WINDOW_UPDATED says: start_date "…", end_date "…"`. */
const saying = ({ fields }: KindDefinition, told: readonly Told[]): string =>
  [...Map.groupBy(told, ({ eventTypeName }) => eventTypeName)]
    .map(([eventTypeName, of]) => {
      const says = of.flatMap(({ name, value, invited }) => [
        ...(value === undefined ? [] : [`${attributeName(name)} ${toldValue(fields[name], value)}`]),
        ...(invited === undefined
          ? []
          : [`${attributeName(name)} invited as ${toldValue(fields[name], invited)}`]),
      ])
      return `; ${eventTypeName} says: ${says.join(', ')}`
    })
    .join('')
export const toldValue = (field: Field | undefined, value: unknown): string => {
  // In quotes, a text stays as somebody has written it.
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.length === 0 ? 'none' : sayElements(value.map(elementOf(field)), configurationSpelling)
}
const byActor = (actor: Actor | undefined): string =>
  actor === undefined ? '' : `, ${SURENESS[actor.confidence].by} ${actorText(actor)}`
const toldBy = (actor: Actor | undefined, ownKey: string): string => {
  if (actor === undefined) return 'Events do not show who did it.'
  const told = `Event ${actor.eventId} (${actor.eventTypeName}) at ${actor.at}.`
  return actor.publicKey === ownKey ? `${told} ${WITH_OWN_KEY}` : told
}
export const knownByIdAlone = (definition: KindDefinition, state: Values): Text => ({
  summary: `${definition.title}: known only by its id`,
  detail: `${called(definition, state)}. ${unreadableBecause(definition)} The next apply writes what is configured; the rest stays unknown.`,
})
