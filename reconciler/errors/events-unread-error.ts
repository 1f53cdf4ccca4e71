import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** What only events tell would be taken for seen, although they were not read. */
export class EventsUnreadError extends DeploymgmtError {
  static override readonly code = 'DM-EVENTS-UNREAD'
  static override readonly meaning =
    'The command was to accept events that the calling key is not permitted to read. Nothing was accepted, because those events would never be shown again.'
  static override readonly remedy =
    'Give the key the role ORG_MEMBER in that organization, or use one that has it.'
}
