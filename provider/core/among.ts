import type { LeftOut } from '../errors/left-out.ts'
import { valueInBrackets } from './yaml-words.ts'

/** How an entry that stands for several places leaves one of them out. */
export interface Among {
  /** The field that names the places. */
  readonly field: string
  /** The one that is left out, as a person names it. */
  readonly place: string
  /** Those that are left out already, where it stands for all others, as they are written in brackets. */
  readonly except?: readonly string[]
}

/**
 * What leaves a place out.
 *
 * @param places all that are left out of the entry at once; otherwise its own
 */
export const leavingOut = ({ field, place, except }: Among, places = [place]): LeftOut => ({
  field,
  places,
  ...(except === undefined ? {} : { except: [...except, ...places.map(valueInBrackets)] }),
})
