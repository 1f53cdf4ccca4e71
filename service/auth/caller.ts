import type { Context } from '../context.ts'
import type { AccessListEntry } from '../model/access-list.ts'
import type { Role } from '../model/roles.ts'

/** The caller of a request: an organization's API key, or a user through a personal key. */
export type Caller = {
  readonly publicKey: string
  readonly roles: readonly Role[]
  readonly accessList: readonly AccessListEntry[]
} & (
  | { readonly kind: 'apiKey'; readonly apiKeyId: string; readonly orgId: string }
  | { readonly kind: 'user'; readonly userId: string; readonly username: string }
)

/** The caller with a public key, and the private key to verify with. */
export const findCaller = (
  context: Context,
  publicKey: string,
): { caller: Caller; privateKey: string } | undefined => {
  const { store } = context
  const key = store.find('apiKey', publicKey)
  if (key) {
    const { id: apiKeyId, orgId, roles, accessList, privateKey } = key
    return { caller: { kind: 'apiKey', publicKey, apiKeyId, orgId, roles, accessList }, privateKey }
  }
  const personal = store.find('personalKey', publicKey)
  const user = personal && store.get('user', '', personal.userId)
  if (!personal || !user) return undefined
  const { id: userId, username, roles, accessList } = user
  return {
    caller: { kind: 'user', publicKey, userId, username, roles, accessList },
    privateKey: personal.privateKey,
  }
}
