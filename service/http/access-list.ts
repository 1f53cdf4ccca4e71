import { BlockList, isIP } from 'node:net'
import type { Caller } from '../auth/caller.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { type AccessListEntry, blockOf } from '../model/access-list.ts'
import { formatTimestamp } from '../time.ts'

/**
 * Counts a request in the matching entries of the caller's access list. Refuses it if open.accessListEnforced is set
 * and there are entries, but none matches the address.
 */
export const passAccessList = (context: Context, caller: Caller, address: string): void => {
  if (caller.accessList.length === 0) return
  const matches = caller.accessList.map((entry) => contains(entry, address))
  if (matches.includes(true)) {
    context.store.transaction(() => countRequest(context, caller, matches, address))
  } else if (context.settings.get('open.accessListEnforced') === 'true') {
    throw new ApiError(
      403,
      'IP_ADDRESS_NOT_ON_ACCESS_LIST',
      'This address is not on the access list of the caller.',
      {
        parameters: [address],
      },
    )
  }
}

const contains = (entry: AccessListEntry, address: string): boolean => {
  const block = blockOf(entry.cidrBlock)
  if (!block || isIP(address) !== block.version) return false
  const family = block.version === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(block.base, block.bits, family)
  return list.check(address, family)
}

const countRequest = (
  context: Context,
  caller: Caller,
  matches: readonly boolean[],
  address: string,
): void => {
  const { store, clock } = context
  const used = { lastUsed: formatTimestamp(clock.now()), lastUsedAddress: address }
  const accessList = caller.accessList.map((entry, index) =>
    matches[index] ? { ...entry, count: entry.count + 1, ...used } : entry,
  )
  if (caller.kind === 'apiKey') {
    const key = store.get('apiKey', caller.orgId, caller.apiKeyId)
    if (key) store.put('apiKey', caller.orgId, key.id, { ...key, accessList })
  } else {
    const user = store.get('user', '', caller.userId)
    if (user) store.put('user', '', user.id, { ...user, accessList })
  }
}
