import { asSentence, isNone, textOf, type KindDefinition, type Values } from '../../core/index.ts'
import type { Change, Reason } from '../../engine/index.ts'
import { attributeName } from '../codec/names.ts'
import type { Text } from '../diagnostics.ts'
import { fewOf, isCheck, stepsOf } from '../../words/index.ts'
import { words } from './engine.ts'
import { absenceOf, inThisDoor, placeIn, recognised } from './spelled.ts'

/** Messages of a plan. */

/**
 * Terraform shows no address for what is no longer configured, so the detail says what is meant, and briefly: each of
 * many such things has its own.
 */
export const destroyDoes = (definition: KindDefinition, values: Values, way: string): Text => ({
  summary: `${definition.title}: destroy does what on_remove = "${way}" says`,
  detail: [
    `${recognised(definition, values)}.`,
    definition.release[way]?.summary ?? [],
    // What is made to end need not be deleted.
    definition.release[way]?.way === 'send' && !isNone(definition.lifetime) ? [] : absenceOf(definition),
  ]
    .flat()
    .join(' ')
    .trim(),
})
export const destroySendsNothing = (definition: KindDefinition, values: Values): Text => ({
  summary: `${definition.title}: it has ended; a destroy sends nothing`,
  detail: `${recognised(definition, values)}.`,
})
export const needed = (key: string, to: 'manage' | 'create', summary: string): Text => ({
  summary: `${attributeName(key)} is needed to ${to} it`,
  detail: summary,
})
export const neededToAdopt = (key: string, because: string): Text => ({
  summary: `adopting needs ${attributeName(key)} = true`,
  detail: asSentence(because),
})
export const noLongerDeclared = (key: string): Text => ({
  summary: `${attributeName(key)} is no longer declared: nothing is sent, and the service keeps what it has`,
  detail: 'From now on it is neither compared nor written, whatever the plan shows for it.',
})
export const noLongerCompared = (key: string): Text => ({
  summary: `${attributeName(key)} is no longer declared: it is no longer compared, and the service keeps it as it is`,
  detail: 'No call of this API changes it, whatever the plan shows for it.',
})
export const creationAlone = (key: string): Text => ({
  summary: `${attributeName(key)} can only be given at creation`,
  detail:
    'This API has no call to change it. Put the old value back, or change it by hand at the service, forget the resource with terraform state rm, and import it.',
})
export const nothingMakesIt = ({ title, establish }: KindDefinition, values: Values): Text => {
  const { none, byHand = '' } = isNone(establish.create) ? establish.create : { none: '' }
  return { summary: `${title}: not found; ${none}`, detail: inThisDoor(byHand, values) }
}
/** Why something is blocked, what a person does instead, and what they should know about it. */
export const worded = (reason: Reason, notes: readonly Reason[] = []): Text => ({
  summary: words.says(reason),
  detail: stepAndNotes(reason, notes),
})
export const stepAndNotes = (reason: Reason, notes: readonly Reason[]): string =>
  [...stepsOf(words, reason, notes), ...notes.filter((note) => !isCheck(note)).map(words.sentence)].join('\n')
/**
 * The same in a plan, which the apply decides anew: its error has the words of the reason. Terraform merges warnings
 * with the same summary, so that many gone things are one warning; the plan itself lists them.
 */
export const blockedAsItIs = (
  definition: KindDefinition,
  planned: Values,
  { reason, notes = [] }: Pick<Change, 'reason' | 'notes'>,
): Text => ({
  summary: `${definition.title}: no apply can do this as things are`,
  detail: [`${recognised(definition, planned)}.`, words.sentence(reason), stepAndNotes(reason, notes)]
    .join(' ')
    .trim(),
})
/** For a change that is planned, but sends nothing. */
export const nothingSent = (definition: KindDefinition, values: Values, reason: Reason): Text => ({
  summary: `${definition.title}: ${words.says(reason)}`,
  detail: `${recognised(definition, values)}. Nothing is sent.`,
})
export const willBeDeleted = (
  definition: KindDefinition,
  planned: Values,
  before: Values | null,
  { reason, notes }: { readonly reason: Reason; readonly notes?: readonly Reason[] },
): Text => ({
  // In the present tense, because an apply, which plans once more, repeats it when it has finished.
  // The place as in the configuration: request paths say nothing to its readers.
  summary: `${definition.title} ${textOf(before?.[definition.identity.key])} is deleted from ${placeIn(definition, planned)} by the apply: ${words.says(reason)}`,
  detail: notes?.map(words.sentence).join('\n'),
})
type Written = Pick<Change, 'before' | 'fields' | 'what'>
/** What an apply changes of the things that a selector stands for. Nothing else shows it. */
export const willBeWritten = (definition: KindDefinition, changes: readonly Written[]): Text =>
  changesById(definition, changes, `the selector matches ${countOf(changes)} that the apply changes`)
/** What an apply changes of the things that an edited selector no longer stands for. */
export const willBeReleased = (
  definition: KindDefinition,
  changes: readonly (Written & Pick<Change, 'onRemove'>)[],
): Text =>
  changesById(
    definition,
    changes,
    `the selector no longer matches ${countOf(changes)} that the apply changes as on_remove = "${changes[0]?.onRemove ?? ''}" says`,
  )
const countOf = ({ length }: readonly unknown[]): string => (length === 1 ? 'one' : String(length))
/** Terraform merges warnings with the same summary, so the summary has the ids, too. */
const changesById = (
  { title, identity: { key } }: KindDefinition,
  changes: readonly Written[],
  what: string,
): Text => {
  const lines = changes.map(({ before, fields, what: about }) => {
    const values = fields.map(({ path, before: was, after }) => `${path} ${shown(was)} -> ${shown(after)}`)
    return `${textOf(before?.[key])}${about === undefined ? '' : ` (${about})`}: ${values.join(', ')}`
  })
  const count = changes.length
  const ids = changes.map(({ before }) => textOf(before?.[key]))
  return {
    summary: `${title}: ${what}: ${fewOf(ids)}`,
    detail: [...lines.slice(0, MOST), ...(count > MOST ? [`and ${count - MOST} more`] : [])].join('\n'),
  }
}
/** The maximum number of lines in one diagnostic. */
const MOST = 50
export const shown = (value: unknown): string =>
  value === null || value === undefined ? '(not set)' : textOf(value)
