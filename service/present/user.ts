import type { Context } from '../context.ts'
import type { User } from '../model/user.ts'
import { sortedRoles } from '../model/roles.ts'
import { extraFields, selfLink } from './common.ts'

/** The relation of the link to a user's access list; the API description only says that it is no standard one. */
const accessListRelation = 'urn:deploymgmt:rel:accessList'

const profile = (user: User) => {
  const { id, username, emailAddress, firstName, lastName, mobileNumber } = user
  return { id, username, emailAddress, firstName, lastName, mobileNumber }
}

/** Endpoint 9: effective roles, without invited ones. */
export const presentUser = (context: Context, user: User): object => {
  const asObjects = context.settings.get('open.teamIds') === 'objects'
  return {
    ...profile(user),
    roles: sortedRoles(user.roles),
    teamIds: asObjects ? user.teamIds.map((id) => ({ id })) : user.teamIds,
    links: [
      ...selfLink(context, `/users/${user.id}`),
      { href: `${context.baseUrl()}/users/${user.id}/accessList`, rel: accessListRelation },
    ],
    ...extraFields(context),
  }
}

/** Endpoint 11 (open.createUserAnswer). */
export const presentCreatedUser = (context: Context, user: User): object => {
  const isFull = context.settings.get('open.createUserAnswer') === 'full'
  return {
    ...profile(user),
    roles: isFull ? sortedRoles(user.roles) : [],
    links: isFull ? selfLink(context, `/users/${user.id}`) : [],
    ...extraFields(context),
  }
}
