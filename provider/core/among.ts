import type { PlacesLeftOut } from '../errors/places-left-out.ts'
import { valueInBrackets } from './yaml-words.ts'

/** How an entry that stands for several places leaves one of them out. */
export interface Among {
  /** The field that names the places. */
  readonly field: string
  /** The one that is left out, as a person names it. */
  readonly place: string
  /** Those that are left out already, where it stands for all others, as they are written in brackets. */
  readonly except?: readonly string[]
  /** How many places the entry stands for. */
  readonly of: number
}

/**
 * What leaves places out of one entry, all at once: what was pasted for one of them would undo what was for another.
 * Nothing where no place would be left, which a manifest cannot say.
 */
export const leavingOut = (all: readonly Among[]): PlacesLeftOut | undefined => {
  const [first] = all
  const places = [...new Set(all.map(({ place }) => place))]
  if (first === undefined || places.length >= first.of) return undefined
  const { field, except } = first
  return {
    field,
    places,
    ...(except === undefined ? {} : { except: [...except, ...places.map(valueInBrackets)] }),
  }
}
