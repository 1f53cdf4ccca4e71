import { DeploymgmtError } from './deploymgmt-error.ts'
import { sayLeavingOut, type PlacesLeftOut } from './places-left-out.ts'

interface ConflictThing {
  readonly key: string
  readonly about: string
}

/** Two entries of one rank claim one thing and want different values. */
export class SelectorConflictError extends DeploymgmtError {
  static override readonly code = 'DM-SELECTOR-CONFLICT'
  static override readonly meaning = 'Two entries select the same thing and declare different values for it.'
  static override readonly remedy =
    'Narrow one of the selectors, or declare the thing by its id: an id beats a selector.'

  constructor(conflict: {
    first: string
    second: string
    /** What both stand for: its key, and what it is for a person. */
    things: readonly ConflictThing[]
    field: string
    where: string
    /** What leaves the place of the thing out of either. */
    leaving: readonly (PlacesLeftOut & { readonly entry: string })[]
  }) {
    const { remedy } = SelectorConflictError
    const leaving = conflict.leaving.map(({ entry, ...left }) => sayLeavingOut(left, entry)).join('; or ')
    super(
      `${conflict.first} and ${conflict.second} both stand for ${sayThings(conflict.things, conflict.field)}`,
      {
        where: conflict.where,
        ...(leaving === ''
          ? {}
          : {
              hint: `${leaving.charAt(0).toUpperCase()}${leaving.slice(1)}; or ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`,
            }),
      },
    )
  }
}

const SHOWN = 5

const sayThings = (things: readonly ConflictThing[], field: string): string => {
  const shown = things
    .slice(0, SHOWN)
    .map(({ key, about }) => (about === '' ? key : `${key} (${about})`))
    .join(', ')
  if (things.length === 1) return `${shown} and disagree about ${field}`
  const more = things.length - SHOWN
  return `${things.length} things and disagree about ${field}: ${shown}${more > 0 ? ` and ${more} more` : ''}`
}
