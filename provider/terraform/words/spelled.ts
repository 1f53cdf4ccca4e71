import {
  asSentence,
  configurationSpelling,
  fillSentence,
  isNone,
  textOf,
  type KindDefinition,
  type Values,
} from '../../core/index.ts'
import { whatSelected } from '../../engine/index.ts'
import { attributeName } from '../codec/names.ts'

/** Things, fields and sentences of definitions in the words of this door. */

/** A definition's sentence as this door spells it. */
export const inThisDoor = (sentence: string, values: Values = {}): string =>
  fillSentence(sentence, values, configurationSpelling)

/**
 * A resource as a person calls it: its title and its id. There is no id if it was never made. One that stands for
 * several things is called by what it selects.
 */
export const called = (definition: KindDefinition, values: Values): string => {
  const { title, expand, identity } = definition
  const by = expand.members?.by ?? ''
  if (values[by] !== undefined) {
    const what = whatSelected(definition, values)
    return `${title} by ${attributeName(by)}${what === '' ? '' : ` (${what})`} in ${placeIn(definition, values)}`
  }
  const names = values['id'] === undefined ? identity.recognisedBy : ['id']
  return `${title} ${names.map((name) => textOf(values[name])).join(' to ')}`
}
/** The same with what a person knows it by, if the state has that: its name, or its dates. Free text may be sensitive. */
export const recognised = (definition: KindDefinition, values: Values): string => {
  const by = definition.identity.recognisedBy.map((name) => values[name])
  const isTold = values['id'] !== undefined && by.length > 0 && !by.includes(undefined)
  return `${called(definition, values)}${isTold ? ` (${by.map(textOf).join(' to ')})` : ''}`
}
/** Where it is: its project, or its organization. */
export const placeIn = ({ identity: { scope } }: KindDefinition, values: Values): string =>
  scope.map((name) => textOf(values[name])).join('/')
export const calledBy = ({ title, identity: { key } }: KindDefinition, identity: Values): string =>
  `${title} ${textOf(identity[key] ?? '')}`
export const names = (keys: readonly string[]): string => keys.map(attributeName).join(', ')
export const absenceOf = ({ absence }: KindDefinition): string =>
  isNone(absence) ? asSentence(inThisDoor(absence.none)) : ''
export const unreadableBecause = ({ observe }: KindDefinition): string =>
  'reason' in observe ? asSentence(inThisDoor(observe.reason)) : ''
/** What is known of a change whose actor is this provider's own key. */
export const WITH_OWN_KEY =
  'This provider has that key: perhaps another state, or another provider alias, manages it too.'
