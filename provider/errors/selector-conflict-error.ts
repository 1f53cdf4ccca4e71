import { DeploymgmtError } from './deploymgmt-error.ts'
import { sayLeavingOut, type LeftOut } from './left-out.ts'

/** Two entries of one rank claim one thing and want different values. */
export class SelectorConflictError extends DeploymgmtError {
  static override readonly code = 'DM-SELECTOR-CONFLICT'
  static override readonly meaning = 'Two entries select the same thing and declare different values for it.'
  static override readonly remedy =
    'Narrow one of the selectors, or declare the thing by its id: an id beats a selector.'

  constructor(conflict: {
    first: string
    second: string
    thing: string
    field: string
    where: string
    /** What leaves the place of the thing out of either. */
    leaving: readonly (LeftOut & { readonly entry: string })[]
  }) {
    const { remedy } = SelectorConflictError
    const leaving = conflict.leaving.map(({ entry, ...left }) => sayLeavingOut(left, entry)).join('; or ')
    super(
      `${conflict.first} and ${conflict.second} both stand for ${conflict.thing} and disagree about ${conflict.field}`,
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
