import type { ManifestPart } from '@deploymgmt/provider/core'
import { quoted } from '../../text/display.ts'
import { isNull, type MapNode, type Pair } from '../tree/node.ts'
import { ODD_SPACE } from '../tree/odd-space.ts'
import type { Report } from '../tree/report.ts'

/** What the top of a manifest can have, by name. */
export type Parts = Readonly<Record<string, ManifestPart>>

export const refuseUnknownPart = (pair: Pair, document: MapNode, parts: Parts, report: Report): void => {
  const known = Object.keys(parts)
  const { key } = pair
  const suggestion = report.nearest(key.text, known)
  if (suggestion !== undefined) report.noteMeant([], suggestion)
  const indent = suggestion === undefined ? indentation(pair, document, parts) : ''
  report.add(key, {
    path: [key.text],
    message: `a manifest has no ${quoted(key.text)}${indent}`,
    suggestion,
    allowed: known,
  })
}

const indentation = (pair: Pair, document: MapNode, parts: Parts): string => {
  if (ODD_SPACE.test(pair.key.text[0] ?? ''))
    return '; it begins with a no-break space: indent it with ordinary spaces'
  const section = emptySectionAbove(pair, document, parts)
  return section === undefined ? '' : `; if it is an entry of ${section}, indent it`
}

/** The empty section that a mapping would be an entry of, if it were indented. */
const emptySectionAbove = (pair: Pair, { pairs }: MapNode, parts: Parts): string | undefined => {
  if (pair.value.is !== 'map') return undefined
  const names = [...pairs.keys()]
  const above = names.slice(0, names.indexOf(pair.key.text)).findLast((name) => Object.hasOwn(parts, name))
  const value = above === undefined ? undefined : pairs.get(above)?.value
  if (above === undefined || value === undefined || !isNull(value)) return undefined
  return parts[above]?.type.is === 'map' ? above : undefined
}
