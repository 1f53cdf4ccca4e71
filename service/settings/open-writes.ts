import { choice } from './setting.ts'

/** What the API description leaves open about writes. */
export const openWrites = {
  'open.unknownFields': choice(
    ['reject', 'ignore'],
    'Body fields that are unknown or cannot be changed: 400, or ignored.',
    [2, 3, 9, 11, 14, 15],
  ),
  'open.userRoles': choice(
    ['scoped', 'replace', 'merge'],
    'What submitted roles do: `scoped` replaces the roles of each organization and project named (and the global ones when one is named), `replace` replaces all roles, `merge` adds.',
    [9],
  ),
  'open.emptyRoles': choice(
    ['owned', 'nothing'],
    'What an empty list of roles removes: every role in a scope that the caller owns, or nothing.',
    [9],
  ),
  'open.selfRoleUpdate': choice(
    ['allowed', 'refused'],
    'Whether a user without an owner role may update their own roles (removing, never adding).',
    [9],
  ),
  'open.roleUpdateOfNonMembers': choice(
    ['refused', 'allowed'],
    'Whether an owner may give roles to a user who is neither a member of nor invited to anything that the caller owns.',
    [9],
  ),
  'open.lastOwner': choice(
    ['refuse', 'allow'],
    'Whether the last ORG_OWNER of an organization, users and keys together, can lose that role (403 CANNOT_DEMOTE_LAST_ORG_OWNER).',
    [2, 9],
  ),
  'open.createUserAnswer': choice(
    ['empty', 'full'],
    'The answer to a creation: roles and links empty as in the sample, or the roles in effect and a self link.',
    [11],
  ),
  'open.bypassInviteOnCreation': choice(
    ['false', 'true'],
    'Whether service.user.bypassInviteForExistingUsers also counts for users who are being created.',
    [11],
  ),
  'open.teamIds': choice(
    ['strings', 'objects'],
    'The element type of teamIds: strings, or objects with an id.',
    [9],
  ),
  'open.passwordRule': choice(
    ['nonEmpty', 'strong'],
    'What a password must be: not empty, or 8 characters with a letter, a digit and another character.',
    [11],
  ),
  'open.fractionalTimestamps': choice(
    ['accept', 'reject'],
    'Fractions of a second in startDate and endDate: accepted, or 400 FRACTIONAL_TIMESTAMP.',
    [14, 15],
  ),
  'open.alertTypeNames': choice(
    ['known', 'any'],
    'Alert types beyond HOST, REPLICA_SET, CLUSTER, AGENT and BACKUP: 400 INVALID_ENUM_VALUE, or accepted.',
    [14, 15],
  ),
  'open.windowPastDates': choice(
    ['accept', 'reject'],
    'A submitted startDate or endDate that is not in the future: accepted, or 400 INVALID_ATTRIBUTE.',
    [14, 15],
  ),
  'open.windowEqualDates': choice(
    ['reject', 'accept'],
    'A window whose startDate equals its endDate: 400 MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE, or accepted.',
    [14, 15],
  ),
  'open.windowCreateStatus': choice(['200', '201'], 'The status of a created window.', [14]),
  'open.windowUpdateStatus': choice(['201', '200'], 'The status of an updated window.', [15]),
  'open.endedWindowStatus': choice(
    ['400', '403', '409'],
    'The status of an update of a window that has ended (CANNOT_UPDATE_ENDED_MAINTENANCE_WINDOW).',
    [15],
  ),
  'open.deleteAbsentIntegration': choice(
    ['404', '204'],
    'Deleting an integration that does not exist: 404 INTEGRATION_NOT_FOUND, or the success status.',
    [18],
  ),
  'open.deleteIntegrationStatus': choice(
    ['204', '200'],
    'The status of a deletion, which has no body.',
    [18],
  ),
} as const
