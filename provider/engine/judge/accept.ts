import type { KindDefinition } from '../../core/definition.ts'
import type { EngineClient } from '../read/client.ts'
import { readEvents } from '../read/events.ts'
import { eventsWanted } from '../read/organizations.ts'
import type { Declaration, EventSeen, RecordedResource } from '../values/model.ts'
import { foreignEvents } from './events.ts'

/** Reads and answers the events about a recorded thing that are neither our own nor accepted. */
export const eventsAbout = async (
  client: EngineClient,
  definition: KindDefinition,
  record: RecordedResource,
  declaration: Declaration,
): Promise<EventSeen[]> => {
  const since = eventsWanted([record], declaration)
  return since.size === 0
    ? []
    : foreignEvents(definition, record, await readEvents(client, since), client.publicKey)
}
