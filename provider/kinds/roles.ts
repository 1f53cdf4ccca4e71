import type { Decode } from '../core/field.ts'
import type { What } from '../core/definition.ts'
import type { Finding } from '../core/rule.ts'
import { rawOf } from '../core/told.ts'
import { asList, textOf, type Values } from '../core/values.ts'

/**
 * An API key's answer lists roles of every scope as objects; a declaration lists the names of those within the key's
 * organization. The others are kept in `beside`, because a write would replace them too. An organization role that
 * names no place is of the organization that was asked. A project role may name its organization, too.
 */
export const rolesWithin =
  (scope: string): Decode =>
  (raw, identity) => {
    const roles = asList(raw)
    const inside = roles.filter(
      (role) =>
        (role[scope] === identity[scope] && !isOfProject(role)) ||
        (isPlaceless(role) && isOfOrganization(role)),
    )
    return {
      value: inside.map((role) => role['roleName']),
      beside: roles.filter((role) => !inside.includes(role)).map((role) => role['roleName']),
    }
  }

/** What a role applies to: an organization, a project, or (undefined) the whole installation. */
const placeOf = (role: Values): 'orgId' | 'projectId' | undefined => {
  const name = String(role['roleName'])
  return name.startsWith('ORG_') ? 'orgId' : name.startsWith('GROUP_') ? 'projectId' : undefined
}

const isPlaceless = ({ orgId, groupId }: Values): boolean =>
  [orgId, groupId].every((id) => id === undefined || id === null || id === '')

export const isOfOrganization = (role: Values): boolean => placeOf(role) === 'orgId'

/** A project is in one organization, so it does not matter whether the role names that, too. */
export const isOfProject = (role: Values): boolean => placeOf(role) === 'projectId'

/** Organization roles take an orgId, project roles a projectId, global roles neither (endpoints 9 and 11). */
export const checkScopes = (role: Values): Finding[] => {
  const name = String(role['roleName'])
  const wants = placeOf(role)
  return (['orgId', 'projectId'] as const).flatMap((scope): Finding[] => {
    const given = role[scope] !== undefined
    if (scope === wants && !given)
      return [{ path: [], text: `{name} needs {.${scope}}`, of: { name }, needs: scope }]
    // A project role may also give its organization; no other role takes a scope that it does not need.
    if (scope !== wants && given && !(name.startsWith('GROUP_') && scope === 'orgId'))
      return [{ path: [scope], text: `{name} takes no {.${scope}}`, of: { name } }]
    return []
  })
}

/** Whether some of a user's roles are for the whole installation. */
export const isGlobal = (roles: unknown): boolean =>
  Array.isArray(roles) &&
  (roles as Values[]).some(({ orgId, projectId }) => orgId === undefined && projectId === undefined)

/** A role from the raw document of an event, which can be anything. */
interface ToldRole {
  readonly name: string
  /** An id; undefined for a role in the whole installation. */
  readonly place: unknown
  readonly isInvited: boolean
  readonly from: Values
}

/**
 * The roles that events tell, the newest first. An event tells those of its own place, or of places that it names:
 * what earlier events tell of a place holds until an event tells all roles there. An invitation tells only what is
 * new.
 */
export const rolesTold = (events: readonly Values[]): What => {
  const told = new Set<unknown>()
  const found = events.flatMap((event) => {
    const [roles, invitations] = ['roles', 'invitations'].map((name) => rolesIn(event, name))
    const own = [...(roles ?? []), ...(invitations ?? [])].filter(({ place }) => !told.has(place))
    if (roles !== undefined) for (const { place } of [{ place: placeIn(event) }, ...own]) told.add(place)
    return own
  })
  const [first] = found.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (first === undefined)
    return {
      says: events.some(tellsNone) ? 'has no roles, as far as events tell' : 'its roles are not known',
    }
  const isHeld = new Set(found.filter(({ isInvited }) => !isInvited).map(keyOf))
  const held = found.filter(({ isInvited }) => !isInvited)
  const invited = found.filter((role) => role.isInvited && !isHeld.has(keyOf(role)))
  const says = [rolesSaid('has', held), rolesSaid('is invited as', invited)]
  const inOrder = first.isInvited && invited.includes(first) ? says.toReversed() : says
  const owns = rankOf(first) <= OWNS ? { owns: true as const } : {}
  return { says: inOrder.filter((each) => each !== '').join(', '), from: givenBy(first, events), ...owns }
}

/** The event that first told a role, since an event told that it was not there; later events only repeat it. */
const givenBy = (role: ToldRole, events: readonly Values[]): Values => {
  let from = role.from
  for (const event of events) {
    const [roles, invitations] = ['roles', 'invitations'].map((name) => rolesIn(event, name))
    const told = [...(roles ?? []), ...(invitations ?? [])]
    if (told.some((each) => keyOf(each) === keyOf(role))) from = event
    else if (roles !== undefined && [placeIn(event), ...told.map(({ place }) => place)].includes(role.place))
      return from
  }
  return from
}

const rolesSaid = (verb: string, roles: readonly ToldRole[]): string => {
  const names = new Set(roles.toSorted((a, b) => rankOf(a) - rankOf(b)).map(textWithPlace))
  return names.size === 0 ? '' : `${verb} ${[...names].join(', ')}`
}

/** Owner roles are shown with their place, because that is where to look for the owner. */
const textWithPlace = ({ name, place }: ToldRole): string =>
  name.endsWith('_OWNER') && typeof place === 'string' ? `${textOf(name)} of ${textOf(place)}` : textOf(name)

const keyOf = ({ name, place }: ToldRole): string => JSON.stringify([name, place])

/** The narrowest place in which an event happened. */
const placeIn = (event: Values): unknown => event['groupId'] ?? event['orgId']

/** Undefined if the event tells no such list. */
const rolesIn = (event: Values, name: string): ToldRole[] | undefined => {
  const list = rawOf(event)[name]
  if (!Array.isArray(list)) return undefined
  return asList(list).flatMap(({ roleName, groupId, orgId }) =>
    typeof roleName === 'string'
      ? [{ name: roleName, place: groupId ?? orgId, isInvited: name === 'invitations', from: event }]
      : [],
  )
}

/** Whether an event tells that none are left in its place. */
const tellsNone = (event: Values): boolean => {
  const { roles } = rawOf(event)
  return Array.isArray(roles) && roles.length === 0
}

/** A lower rank means more rights: owners first, read-only roles last. */
const rankOf = ({ name }: Pick<ToldRole, 'name'>): number => {
  const may = name.endsWith('_OWNER') ? 0 : name.endsWith('_READ_ONLY') ? 2 : 1
  const reach = ['GLOBAL_', 'ORG_', 'GROUP_'].findIndex((start) => name.startsWith(start))
  return may * 10 + (reach === -1 ? 9 : reach)
}
/** The rank of an organization's owner; an owner of the whole installation ranks above. */
const OWNS = rankOf({ name: 'ORG_OWNER' })
