import {
  asSentence,
  configurationSpelling,
  fillSentence,
  isNone,
  textOf,
  type KindDefinition,
  type Values,
} from '../../core/index.ts'
import { attributeName } from '../codec/names.ts'

/** Things, fields and sentences of definitions, as a person of this door calls them. */

/** A definition's sentence as this door spells it. */
export const inThisDoor = (sentence: string, values: Values = {}): string =>
  fillSentence(sentence, values, configurationSpelling)

/** A resource as a person calls it: what it is, and its id. */
export const called = ({ title }: KindDefinition, values: Values): string =>
  `${title} ${textOf(values['id'])}`
export const calledBy = ({ title, identity: { key } }: KindDefinition, identity: Values): string =>
  `${title} ${textOf(identity[key] ?? '')}`
export const names = (keys: readonly string[]): string => keys.map(attributeName).join(', ')
export const absenceOf = ({ absence }: KindDefinition): string =>
  isNone(absence) ? asSentence(inThisDoor(absence.none)) : ''
export const unreadableBecause = ({ observe }: KindDefinition): string =>
  'reason' in observe ? asSentence(inThisDoor(observe.reason)) : ''
