import type { Context } from '../context.ts'
import type { Event } from '../model/event.ts'
import { extraFields, instants, selfLink } from './common.ts'

/** Endpoints 19, 20 and 21; `path` is the path of the event list. */
export const presentEvent = (
  context: Context,
  event: Event,
  path: string,
  show: { raw: boolean; diffs: boolean },
): object => {
  const { raw = {}, diffs, userId, username, ...rest } = event
  return {
    ...rest,
    // An event of a key names no user.
    ...(userId === undefined || event.apiKeyId !== undefined ? {} : { userId }),
    ...(username === undefined || event.publicKey !== undefined ? {} : { username }),
    ...instants(context, event, 'created'),
    ...(show.diffs && diffs ? { diffs } : {}),
    ...(show.raw ? { raw: context.settings.get('open.rawDocument') === 'values' ? raw : {} } : {}),
    links: selfLink(context, `${path}/${event.id}`),
    ...extraFields(context),
  }
}
