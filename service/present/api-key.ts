import type { Context } from '../context.ts'
import type { AccessListEntry } from '../model/access-list.ts'
import type { ApiKey } from '../model/api-key.ts'
import { sortedRoles } from '../model/roles.ts'
import { extraFields, instants, selfLink } from './common.ts'
import { redactPrivateKey } from './redact.ts'

/** Endpoint 2. */
export const presentApiKey = (context: Context, key: ApiKey): object => {
  const { id, desc, publicKey } = key
  return {
    id,
    desc,
    publicKey,
    privateKey: redactPrivateKey(key.privateKey),
    roles: sortedRoles(key.roles),
    links: selfLink(context, `/orgs/${key.orgId}/apiKeys/${id}`),
    ...extraFields(context),
  }
}

/** Endpoints 1 and 13; `path` is the path of the access list. */
export const presentAccessListEntry = (context: Context, entry: AccessListEntry, path: string): object => {
  const name = encodeURIComponent(entry.ipAddress ?? entry.cidrBlock)
  return {
    ...entry,
    ...instants(context, entry, 'created', 'lastUsed'),
    links: selfLink(context, `${path}/${name}`),
    ...extraFields(context),
  }
}
