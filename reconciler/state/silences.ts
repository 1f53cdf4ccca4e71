import { schemeOf } from './machine/paths.ts'
import type { Where } from './stores/address.ts'

/** The part that names the windows of `deploymgmt silence` in the address of their state. */
const SILENCES = 'silences'

/**
 * Where the silences of a manifest are recorded: beside its state, in the same store, under their own name.
 *
 * @param where of the state of the manifest, with its name
 */
export const whereSilencesAre = <W extends Where & { readonly name: string }>(where: W): W => ({
  ...where,
  name: `${where.name}-${SILENCES}`,
  statePath: placeOfSilences(where.statePath),
})

const placeOfSilences = (place: string): string => {
  const scheme = schemeOf(place)
  if (scheme === undefined) return `${place.replace(/(?:\.state)?\.json$/u, '')}.${SILENCES}.json`
  if (scheme === 'http' || scheme === 'https') {
    const url = new URL(place)
    url.pathname = `${url.pathname.replace(/\/$/u, '')}-${SILENCES}`
    return url.href
  }
  // If the address names no branch or row, the name of the manifest does.
  const [where = '', name] = place.split('#')
  return name === undefined ? where : `${where}#${name}-${SILENCES}`
}
