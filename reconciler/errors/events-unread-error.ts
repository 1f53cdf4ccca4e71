import { DeploymgmtError } from '@deploymgmt/provider/errors'

/** Events could not be read, so what only they show must not count as seen. */
export class EventsUnreadError extends DeploymgmtError {
  static override readonly code = 'DM-EVENTS-UNREAD'
  static override readonly meaning =
    'The command was to accept events that the calling key is not permitted to read. Nothing was accepted, because those events would never be shown again.'
  static override readonly remedy =
    'Give the key the role ORG_MEMBER in that organization, or use one that has it.'
}
