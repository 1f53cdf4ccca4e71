/** What leaves places out of an entry that stands for several: the facts, and the words that errors and doors share. */
export interface PlacesLeftOut {
  /** The field that names the places. */
  readonly field: string
  readonly places: readonly string[]
  /** All that are left out then, where it stands for all others, as they are written in brackets. */
  readonly except?: readonly string[]
}

const FEW = 8
const SHOWN = 3

/**
 * What a person does: to be pasted, unless that would be a long list.
 *
 * @param of the entry, where that is not to be seen
 */
export const sayLeavingOut = (left: PlacesLeftOut, of = ''): string => {
  const { field, places, except } = left
  const more = places.length - SHOWN
  const named =
    places.length > FEW ? `${places.slice(0, SHOWN).join(', ')} and ${more} more` : places.join(', ')
  const from = of === '' ? '' : ` of ${of}`
  if (except === undefined) return `take ${named} out of ${field}${from}`
  const pasted = pastedOf(left)
  return pasted === undefined
    ? `add ${named} to the except of ${field}${from}`
    : `leave ${named} out${from}: ${pasted}`
}

/** What the sentence ends in, where that is to be pasted: nothing is put behind it. */
export const pastedOf = (left: PlacesLeftOut): string | undefined =>
  (left.except?.length ?? 0) > FEW ? undefined : exceptSetting(left)

/** What stands in the entry then, to be pasted; nothing where a list names each place. */
export const exceptSetting = ({ field, except }: PlacesLeftOut): string | undefined =>
  except === undefined ? undefined : `${field}: { all: true, except: [${except.join(', ')}] }`
