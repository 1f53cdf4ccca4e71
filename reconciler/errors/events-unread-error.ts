import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** What only events tell would be taken for seen, although they were not read. */
export class EventsUnreadError extends DeploymgmtError {
  static override readonly code = 'DM-EVENTS-UNREAD'
  static override readonly meaning =
    'Events about a thing are to be accepted, and the key that calls may not read them. Nothing was accepted: what they tell would never be shown again.'
  static override readonly remedy =
    'Give the key the role ORG_MEMBER in that organization, or use one that has it.'
}
