/** How an entry that stands for several places leaves one of them out. */
export interface Among {
  /** The field that names the places. */
  readonly field: string
  /** The one that is left out, as a person names it. */
  readonly place: string
  /** Those that are left out already, where it stands for all others. */
  readonly except?: readonly string[]
}

const FEW = 5

/** What a person writes to leave the place out: to be pasted, unless that would be a long list. */
export const leavingOut = ({ field, place, except }: Among, of = ''): string => {
  const from = of === '' ? '' : ` of ${of}`
  if (except === undefined) return `take ${place} out of ${field}${from}`
  if (except.length > FEW) return `add ${place} to the except of ${field}${from}`
  return `leave ${place} out${from}: ${field}: { all: true, except: [${[...except, place].join(', ')}] }`
}
