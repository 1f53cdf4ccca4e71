import { schemeOf } from './machine/scheme.ts'
import type { Where } from './stores/address.ts'

/** What a state keeps beside it is called: the windows of `deploymgmt silence`. */
const BESIDE = 'silences'

/**
 * Where the silences of a manifest are recorded: beside its state, in the same store, under a name of their own.
 *
 * @param where of the state of the manifest, with its name
 */
export const silencesBeside = <W extends Where & { readonly name: string }>(where: W): W => ({
  ...where,
  name: `${where.name}-${BESIDE}`,
  statePath: besides(where.statePath),
})

const besides = (place: string): string => {
  const scheme = schemeOf(place)
  if (scheme === undefined) return `${place.replace(/(?:\.state)?\.json$/u, '')}.${BESIDE}.json`
  if (scheme === 'http' || scheme === 'https') {
    const url = new URL(place)
    url.pathname = `${url.pathname.replace(/\/$/u, '')}-${BESIDE}`
    return url.href
  }
  // Where the address names no branch or no row, the name of the manifest does.
  const [where = '', name] = place.split('#')
  return name === undefined ? where : `${where}#${name}-${BESIDE}`
}
