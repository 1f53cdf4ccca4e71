import type { ReasonFacts } from '../engine/reason.ts'

/** Why events of an organization cannot be read, and what to look at. */
export const eventsRefused = ({ status, byStranger }: ReasonFacts['events-refused']): string => {
  if (byStranger)
    return `its events cannot be read (${status}), and it is not the service that has answered: a proxy in between may not let them through`
  return status === 404
    ? 'the service does not know it (404), so there are no events to read; check its id'
    : `its events cannot be read (${status}); the calling key needs the role ORG_MEMBER there`
}
