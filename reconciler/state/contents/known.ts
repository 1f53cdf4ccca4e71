import { isNone } from '@deploymgmt/provider/core'
import { isToldByEvents, type Made, type RecordedResource } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'

/** What stays known of a thing after its record is gone, for kinds that only events can show. */
export const knownOf = ({
  kind,
  identity,
  applied,
  lastWrite,
  watermark,
}: RecordedResource): Made | undefined => {
  const definition = told.get(kind)
  if (definition === undefined) return undefined
  const { lifetime, silences } = definition
  const begin = isNone(silences) ? undefined : applied[silences.from]
  const end = isNone(lifetime) ? undefined : applied[lifetime.endsAt]
  const at = lastWrite?.to ?? watermark
  return {
    kind,
    identity,
    at,
    ...(typeof begin === 'string' ? { from: begin } : {}),
    ...(typeof end === 'string' ? { until: end } : {}),
  }
}

const told = new Map(kinds.filter(isToldByEvents).map((definition) => [definition.kind, definition]))
