import { isNone, type KindDefinition } from '@deploymgmt/provider/core'

/** A placeholder in a sentence of a definition. */
export interface Placeholder {
  readonly where: string
  readonly whole: string
  readonly name: string
  readonly is: 'value' | 'field' | 'setting' | 'aside'
}

export const placeholdersIn = (definition: KindDefinition): Placeholder[] =>
  sentencesIn(definition, '').flatMap(([where, text]) =>
    [...text.matchAll(/\{(\.?)(\w+)(: \w+)?\}|\{\((\w+)\)\}/g)].map(
      ([whole, dot, name = '', setting, aside]): Placeholder => {
        if (aside !== undefined) return { where, whole, name: aside, is: 'aside' }
        if (setting !== undefined) return { where, whole, name, is: 'setting' }
        return { where, whole, name, is: dot === '' ? 'value' : 'field' }
      },
    ),
  )

/** The sentences that doors fill in: what a person does by hand, and what they do if a thing exists already. */
const sentencesIn = (word: unknown, where: string): [string, string][] => {
  if (typeof word !== 'object' || word === null) return []
  if (isNone(word)) return word.byHand === undefined ? [] : [[where, word.byHand]]
  return Object.entries(word).flatMap(([name, inner]): [string, string][] => {
    const path = where === '' ? name : `${where}.${name}`
    const isSentence = (name === 'byHand' || name === 'conflict') && typeof inner === 'string'
    return isSentence ? [[path, inner]] : sentencesIn(inner, path)
  })
}
