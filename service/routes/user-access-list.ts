import { forbidden, notFound } from '../errors.ts'
import { defineEndpoint, listPage } from '../http/endpoint.ts'
import { AccessListEntryResource } from '../model/access-list.ts'
import { listOf } from '../model/common.ts'
import { presentAccessListEntry } from '../present/api-key.ts'
import { checkId, found } from './parents.ts'

/** Endpoint 13: of the current user alone, by the ipAddress field alone. */
const getAccessListEntry = defineEndpoint({
  number: 13,
  method: 'GET',
  path: '/users/{userId}/accessList/{accessListEntry}',
  summary: 'Get an access-list entry of a user',
  answer: listOf(AccessListEntryResource),
  handle({ context, caller, params }) {
    const { store, settings } = context
    checkId(params.userId, 'INVALID_USER_ID', 'user')
    if (caller.kind !== 'user')
      throw forbidden('NO_CURRENT_USER', 'An organization API key has no current user.')
    const kept = store.get('user', '', params.userId)
    const user = found(kept, 'USER_NOT_FOUND', 'There is no user with this id.', params.userId)
    if (caller.userId !== user.id) throw forbidden('USER_UNAUTHORIZED', 'The user must be the current user.')
    const wanted = params.accessListEntry
    const alsoBlocks = settings.get('open.accessListEntryMatch') === 'ipAddressOrCidrBlock'
    const entries = user.accessList.filter(
      (entry) => entry.ipAddress === wanted || (alsoBlocks && entry.cidrBlock === wanted),
    )
    if (entries.length === 0 && settings.get('open.accessListNoMatch') === '404') {
      throw notFound('ACCESS_LIST_NOT_FOUND', 'The user has no such access-list entry.', [
        wanted.slice(0, 100),
      ])
    }
    const path = `/users/${user.id}/accessList`
    return listPage({ items: entries, total: entries.length }, (entry) =>
      presentAccessListEntry(context, entry, path),
    )
  },
})

export const userAccessListEndpoints = [getAccessListEntry]
