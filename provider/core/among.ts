import type { PlacesLeftOut } from '../errors/places-left-out.ts'
import { valueInBrackets } from './yaml-words.ts'

/** How an entry that stands for several places can leave one of them out. */
export interface Among {
  /** The field that names the places. */
  readonly field: string
  /** The place to leave out, as a person names it. */
  readonly place: string
  /** Places that are left out already, if the entry stands for all others; as they are written in brackets. */
  readonly except?: readonly string[]
  /** How many places the entry stands for. */
  readonly of: number
}

/**
 * Leaves places out of one entry, all at once: edits for one place each would undo each other when pasted. Undefined
 * if no place would be left, which a manifest cannot say.
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
