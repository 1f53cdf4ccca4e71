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

const FEW = 8
const SHOWN = 3

/**
 * What a person writes to leave a place out: to be pasted, unless that would be a long list.
 *
 * @param of the entry, where that is not to be seen
 * @param places all that are left out of it at once; otherwise its own
 */
export const leavingOut = ({ field, place, except }: Among, of = '', places = [place]): string => {
  const more = places.length - SHOWN
  const named =
    places.length > FEW ? `${places.slice(0, SHOWN).join(', ')} and ${more} more` : places.join(', ')
  const from = of === '' ? '' : ` of ${of}`
  if (except === undefined) return `take ${named} out of ${field}${from}`
  const all = [...except, ...places.map(valueInBrackets)]
  return all.length > FEW
    ? `add ${named} to the except of ${field}${from}`
    : `leave ${named} out${from}: ${field}: { all: true, except: [${all.join(', ')}] }`
}
