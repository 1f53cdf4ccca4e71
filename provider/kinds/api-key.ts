import { plainly } from '../core/adoption.ts'
import { defineKind, forget, named, partly } from '../core/definition.ts'
import { one } from '../core/expansion.ts'
import { element, id, set, string } from '../core/field.ts'
import { getList, none, patch } from '../core/operation.ts'
import { textOf } from '../core/values.ts'
import { ORGANIZATION_ROLES } from '../vocabulary.ts'
import { rolesTold, rolesWithin } from './roles.ts'

export default defineKind({
  kind: 'api_key',
  section: 'apiKeys',
  title: 'API key',
  summary: 'The description and the organization roles of an existing API key.',
  identity: named(['orgId'], 'apiKeyId'),
  fields: {
    orgId: id('Organization that owns the key.', { place: 'organization' }).names(),
    apiKeyId: id('The key.').names().onTheWire('id'),
    desc: string('Description.', { minLength: 1, maxLength: 250 }).optional(),
    roles: set(
      element.oneOf(ORGANIZATION_ROLES, 'organization role'),
      'Roles in the organization; the list replaces the old one.',
      {
        atLeast: 1,
      },
    )
      .readAs(rolesWithin('orgId'))
      .optional(),
    accessList: set(
      element.cidr,
      'Addresses and blocks from which the key may be used. They are compared, and never changed.',
    )
      .comparedOnly()
      .optional(),
    publicKey: string('Public half of the key, as shown in answers.').computed(),
  },
  expand: one(),
  observe: partly('no endpoint returns an API key; only its access list can be read', {
    accessList: {
      list: getList('/orgs/{orgId}/apiKeys/{apiKeyId}/accessList', 1),
      item: (raw) => raw['cidrBlock'] ?? raw['ipAddress'],
      // Some services put a prefix before these codes.
      goneCodes: /(?:^|_)API_KEY_NOT_FOUND$/,
      placeCodes: /(?:^|_)ORG_NOT_FOUND$/,
      byHand:
        'By hand: Organization {orgId} → Access Manager → API Keys → {apiKeyId} → Access List, then plan again.',
    },
  }),
  establish: {
    create: none(
      'this API has no call to create an API key',
      'By hand: Organization {orgId} → Access Manager → API Keys → Create, then declare its id.',
    ),
    adopt: { learnBy: ['desc'] },
  },
  write: patch('/orgs/{orgId}/apiKeys/{apiKeyId}', 2),
  fixed: {
    names: ['publicKey', 'privateKey'],
    because: none(
      'this API has no call to change the two halves of a key',
      'By hand: Organization {orgId} → Access Manager → API Keys: create a new key, then declare its apiKeyId here.',
    ),
  },
  absence: none(
    'this API has no call to delete an API key',
    'By hand: Organization {orgId} → Access Manager → API Keys.',
  ),
  lifetime: none('an API key does not end by itself'),
  release: { forget },
  witness: {
    event: 'targetPublicKey',
    instance: 'publicKey',
    places: ['groupId', 'orgId'],
    types: [],
    fields: { API_KEY_ROLES_CHANGED: ['roles'], API_KEY_DESCRIPTION_CHANGED: ['desc'] },
    sets: {},
    repeated: [],
    // Some services put a prefix before these types.
    endedBy: /(?:^|_)API_KEY_(?:DELETED|REMOVED)(?:_AUDIT)?$/,
  },
  unmanaged: {
    foundBy: 'events',
    // Some services put a prefix before these types.
    shownBy: /(?:^|_)API_KEY_(?:\w+_)?(?:CREATED|ADDED|CHANGED|ENTRY_DELETED)(?:_|$)/,
    leftBy: /(?:^|_)API_KEY_REMOVED_FROM_(?:ORG|GROUP|PROJECT)(?:_AUDIT)?$/,
    madeBy: /(?:^|_)API_KEY_CREATED(?:_|$)/,
    what: rolesTold,
  },
  guards: [
    {
      guard: 'keeps',
      field: 'roles',
      value: 'ORG_OWNER',
      scope: 'orgId',
      caller: 'publicKey',
      flag: '--allow-owner-removal',
    },
    {
      guard: 'nothing-beside',
      field: 'roles',
      flag: '--allow-role-removal',
      because:
        'the key also has roles of projects, of another organization or of the installation, and writing roles replaces the whole list',
    },
  ],
  adoption: {
    ...plainly(({ publicKey }) => [textOf(publicKey)]),
    told: {
      actor: { name: 'publicKey', id: 'apiKeyId' },
      values: 'raw',
      open: {
        orgId: 'no event tells in which organization it is',
        apiKeyId: 'no event shows it before the key is used',
      },
    },
  },
  silences: none('a key does not affect alerts'),
  rules: [],
  docs: {
    example: `apiKeys:
  reporting:
    orgId: 5980cfdf0b6d97029d82f86e
    apiKeyId: 5c47503320eef5699e1cce8f
    desc: Reporting pipeline
    roles: [ORG_MEMBER]
    accessList: [192.0.2.0/24, 198.51.100.7]`,
    notes: [
      'The first write to an adopted key sends only `desc`. The answer shows the roles of the key, and so decides whether the roles are written.',
      'Roles are compared within the key’s organization. If an answer shows roles of projects, of another organization or of the installation, writing `roles` needs `--allow-role-removal`.',
      'Removing `ORG_OWNER` from the calling key, or from the last owner that was seen, needs `--allow-owner-removal`. Writing roles to an adopted key that declares no `desc` needs it, too, unless the roles include `ORG_OWNER`. If somebody else has given `ORG_OWNER` to another key since the last write, taking it back needs no flag.',
      'Access lists are compared as canonical blocks: an address is a /32 or a /128.',
    ],
  },
})
