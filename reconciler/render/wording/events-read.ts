import { showInstant } from '../../text/instants.ts'
import type { DriftDocument } from '../document/drift-model.ts'

/**
 * How far back events were read. Things that no list shows are absent only as far as events show, which must be stated
 * if finding them would fail the command.
 */
export const eventsRead = ({
  about,
  unmanagedCounts,
  eventsSince,
}: Pick<DriftDocument, 'about' | 'unmanagedCounts' | 'eventsSince'>): string[] => {
  if (unmanagedCounts !== true) return []
  if (eventsSince !== undefined) return [`events since ${showInstant(eventsSince)}`]
  return [about.organizations.length > 1 ? 'events not read in every organization' : 'no events read']
}
