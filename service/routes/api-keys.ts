import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { ApiError, invalid } from '../errors.ts'
import { roleDiffs } from '../events/diffs.ts'
import { emit } from '../events/emit.ts'
import { type Call, defineEndpoint, listPage, one, pageOf } from '../http/endpoint.ts'
import { isId } from '../ids.ts'
import { AccessListEntryResource } from '../model/access-list.ts'
import { type ApiKey, ApiKeyResource } from '../model/api-key.ts'
import { isOneOf, listOf, record } from '../model/common.ts'
import { type Role, organizationRoles, roleNames, sortedRoles } from '../model/roles.ts'
import { presentAccessListEntry, presentApiKey } from '../present/api-key.ts'
import { keepLastOwner } from '../people/last-owner.ts'
import { organizationFor } from './parents.ts'

const listAccessList = defineEndpoint({
  number: 1,
  method: 'GET',
  path: '/orgs/{orgId}/apiKeys/{apiKeyId}/accessList',
  summary: 'List access-list entries of an organization API key',
  query: ['paging'],
  answer: listOf(AccessListEntryResource),
  handle(call) {
    const { context, params, paging } = call
    const organization = organizationFor(call, 'read')
    const key = findApiKey(context, organization.id, params.apiKeyId)
    const path = `/orgs/${organization.id}/apiKeys/${key.id}/accessList`
    return listPage(pageOf(key.accessList, paging), (entry) => presentAccessListEntry(context, entry, path))
  },
})

// Whether a name is an organization role is checked separately, so that a project role gets its own error code.
const ApiKeyBody = record(
  {
    desc: Type.Optional(Type.String({ minLength: 1, maxLength: 250 })),
    roles: Type.Optional(Type.Array(Type.Enum([...roleNames]), { minItems: 1 })),
  },
  { minProperties: 1, 'x-read-only': ['id', 'publicKey', 'privateKey', 'links'] },
)

/** Endpoint 2: submitted roles replace those in the path's organization; project roles stay. */
const updateApiKey = defineEndpoint({
  number: 2,
  method: 'PATCH',
  path: '/orgs/{orgId}/apiKeys/{apiKeyId}',
  summary: 'Update an API key',
  query: ['paging'],
  body: ApiKeyBody,
  answer: ApiKeyResource,
  handle(call) {
    const { context, params, body } = call
    const organization = organizationFor(call, 'write')
    const before = findApiKey(context, organization.id, params.apiKeyId)
    const roles = body.roles ? replaceRoles(before, body.roles) : before.roles
    keepLastOwner(context, before.roles, roles)
    const key = { ...before, roles, desc: body.desc ?? before.desc }
    context.store.put('apiKey', organization.id, key.id, key)
    leaveEvents(call, before, key)
    return one(presentApiKey(context, key))
  },
})

const replaceRoles = (key: ApiKey, names: readonly Role['roleName'][]): Role[] => {
  const { orgId } = key
  for (const [index, name] of names.entries()) {
    if (!isOneOf(organizationRoles, name)) {
      throw invalid('INVALID_ROLE_FOR_ORG', `${name} is not an organization role.`, [`roles/${index}`])
    }
  }
  const elsewhere = key.roles.filter((role) => role.orgId !== orgId)
  return sortedRoles([...elsewhere, ...names.map((roleName) => ({ roleName, orgId }))])
}

const leaveEvents = (call: Call<string, typeof ApiKeyBody>, before: ApiKey, after: ApiKey): void => {
  const target = { orgId: after.orgId, targetPublicKey: after.publicKey }
  const { body } = call
  if (body.desc !== undefined) {
    emit(call, { ...target, eventTypeName: 'API_KEY_DESCRIPTION_CHANGED', raw: { desc: after.desc } })
  }
  if (body.roles) {
    const diffs = roleDiffs(after.id, after.desc, before.roles, after.roles)
    emit(call, { ...target, eventTypeName: 'API_KEY_ROLES_CHANGED', diffs, raw: { roles: after.roles } })
  }
}

/** API_KEY_NOT_FOUND is 400 in this class of service, not 404 (open.apiKeyNotFoundStatus). */
const findApiKey = (context: Context, orgId: string, id: string): ApiKey => {
  const key = isId(id) ? context.store.get('apiKey', orgId, id) : undefined
  if (key) return key
  const status = Number(context.settings.get('open.apiKeyNotFoundStatus'))
  throw new ApiError(status, 'API_KEY_NOT_FOUND', 'There is no API key with this id in the organization.', {
    parameters: [id.slice(0, 100)],
  })
}

export const apiKeyEndpoints = [listAccessList, updateApiKey]
