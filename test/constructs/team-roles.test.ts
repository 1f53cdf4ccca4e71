import { DeploymgmtProvider, SecretVariable, TeamRoles, User } from '@deploymgmt/constructs'
import { Fn, Lazy, Testing, TerraformStack, TerraformVariable } from 'cdktf'
import { expect, test } from 'vitest'
import { declared, invalid, refusal } from './support/declared.ts'

const organizations = { acme: '5980cfdf0b6d97029d82f86e' }
const projects = { payments: '5c8100bcf2a30b12ff88258f', search: '5c8100bcf2a30b12ff882590' }
const sam = { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true } as const
const danaWith = (password: string) => ({
  username: 'dana@example.com',
  emailAddress: 'dana@example.com',
  firstName: 'Dana',
  lastName: 'Reyes',
  mobileNumber: '2125550198',
  password,
})
const table = { organizations, projects, users: { sam }, roles: { sam: { acme: ['ORG_OWNER'] } } } as const
/** The error for changes that a caller without types could make. */
const refused = (changes: object): string =>
  refusal((stack) => new TeamRoles(stack, 'team', { ...table, ...changes }))

const declareTeam = (stack: TerraformStack): TeamRoles<'acme', 'payments' | 'search', 'dana' | 'sam'> => {
  const password = new SecretVariable(stack, 'password')
  return new TeamRoles(stack, 'team', {
    organizations,
    projects,
    users: { dana: danaWith(password.stringValue), sam },
    roles: {
      dana: { acme: ['ORG_MEMBER'], payments: ['GROUP_READ_ONLY', 'GROUP_BACKUP_ADMIN'] },
      sam: { acme: ['ORG_OWNER'], search: ['GROUP_OWNER'], global: ['GLOBAL_READ_ONLY'] },
    },
    onRemove: 'revoke',
  })
}

test('declares each person with the roles of the row', () => {
  const { text, resources } = declared(declareTeam)
  expect(Object.keys(resources[User.tfResourceType] ?? {})).toHaveLength(2)
  const has = (properties: object): boolean =>
    Testing.toHaveResourceWithProperties(text, User.tfResourceType, { on_remove: 'revoke', ...properties })
  expect(
    has({
      username: 'dana@example.com',
      // oxlint-disable-next-line no-template-curly-in-string
      password: '${var.password}',
      roles: [
        { role_name: 'ORG_MEMBER', org_id: organizations.acme },
        { role_name: 'GROUP_READ_ONLY', project_id: projects.payments },
        { role_name: 'GROUP_BACKUP_ADMIN', project_id: projects.payments },
      ],
    }),
  ).toBe(true)
  expect(
    has({
      user_id: sam.userId,
      roles_complete: true,
      roles: [
        { role_name: 'ORG_OWNER', org_id: organizations.acme },
        { role_name: 'GROUP_OWNER', project_id: projects.search },
        { role_name: 'GLOBAL_READ_ONLY' },
      ],
    }),
  ).toBe(true)
})

test('names people by their names in the table', () => {
  declared((stack) => {
    expect(declareTeam(stack).users.dana.node.path).toBe('acme/team/dana')
  })
})

test('refuses one person in two tables, since a user has one list of roles', () => {
  const message = refusal((stack) => {
    new TeamRoles(stack, 'one', table)
    new TeamRoles(stack, 'two', table)
  })
  expect(message).toBe(
    'acme/two: users.sam: is already declared by acme/one/sam; a user has one list of roles',
  )
})

test('says what to do where the stacks with one person are for different installations', () => {
  const app = Testing.app()
  const stackFor = (name: string, baseUrl?: string): TerraformStack => {
    const stack = new TerraformStack(app, name)
    new DeploymgmtProvider(stack, 'deploymgmt', baseUrl === undefined ? {} : { baseUrl })
    return stack
  }
  new TeamRoles(stackFor('staging', 'https://staging.example.com/api/public/v1.0'), 'team', table)
  expect(() => new TeamRoles(stackFor('unknown'), 'team', table)).toThrow(
    'unknown/team: users.sam: is already declared by staging/team/sam; a user has one list of roles; if the stacks are for different installations, give each provider its baseUrl',
  )
  expect(
    () => new TeamRoles(stackFor('production', 'https://example.com/api/public/v1.0'), 'team', table),
  ).not.toThrow()
})

test('looks for addresses of installations only if one person is in two tables', () => {
  let lookups = 0
  class Counting extends DeploymgmtProvider {
    override get alias(): string | undefined {
      lookups += 1
      return super.alias
    }
  }
  const stack = new TerraformStack(Testing.app(), 'acme')
  new Counting(stack, 'deploymgmt')
  for (let n = 0; n < 20; n += 1) {
    const other = { ...sam, userId: `user-${n}` }
    new TeamRoles(stack, `team-${n}`, { ...table, users: { sam: other } })
  }
  expect(lookups).toBe(0)
  expect(
    () => new TeamRoles(stack, 'last', { ...table, users: { sam: { ...sam, userId: 'user-7' } } }),
  ).toThrow('acme/last: users.sam: is already declared by acme/team-7/sam')
  expect(lookups).toBe(2)
})

test('refuses a password that would be written to disk, and does not repeat it', () => {
  const message = refused({
    users: { dana: danaWith('correct horse') },
    roles: { dana: { acme: ['ORG_MEMBER'] } },
  })
  expect(message).toContain('acme/team: users.dana.password: is plain text and would be written to disk')
  expect(message).not.toContain('horse')
})

const teamWith =
  (passwordIn: (stack: TerraformStack) => string) =>
  (stack: TerraformStack): unknown =>
    new TeamRoles(stack, 'team', {
      organizations,
      users: { dana: danaWith(passwordIn(stack)) },
      roles: { dana: { acme: ['ORG_MEMBER'] } },
    })
const variable = (stack: TerraformStack, more: object): string =>
  new TerraformVariable(stack, 'password', { type: 'string', ...more }).stringValue
const secret = (stack: TerraformStack): string => new SecretVariable(stack, 'password').stringValue
const changed = (stack: TerraformStack, path: string, value: unknown): string => {
  const password = new SecretVariable(stack, 'password')
  password.addOverride(path, value)
  return password.stringValue
}

test.each<[string, (stack: TerraformStack) => string, string]>([
  [
    'a text within a function',
    () => Fn.join('', ['hunter2', '']),
    'contains more than the value of a variable',
  ],
  [
    'a text before a variable',
    (stack) => `hunter2${secret(stack)}`,
    'contains more than the value of a variable',
  ],
  [
    'a text joined to a variable',
    (stack) => Fn.join('', ['hunter2', secret(stack)]),
    'contains more than the value of a variable',
  ],
  ...[{}, { sensitive: true }].map((traits): [string, (stack: TerraformStack) => string, string] => [
    `a variable with ${JSON.stringify(traits)}`,
    (stack) => variable(stack, traits),
    'is the value of the variable acme/password, which Terraform would write into saved plans: make it a SecretVariable',
  ]),
  [
    'a secret variable that is made plain',
    (stack) => changed(stack, 'ephemeral', false),
    'is the value of the variable acme/password, which Terraform would write into saved plans',
  ],
  [
    'a secret variable with its value beside it',
    (stack) => changed(stack, 'default', 'hunter2'),
    'is the value of the variable acme/password, whose default would be written to disk',
  ],
])('refuses %s for a password', (_, passwordIn, message) => {
  expect(refusal(teamWith(passwordIn))).toContain(`acme/team: users.dana.password: ${message}`)
  expect(refusal(teamWith(passwordIn))).not.toContain('hunter2')
})

const late = (passwordIn: (stack: TerraformStack) => string) =>
  invalid(teamWith((stack) => Lazy.stringValue({ produce: () => passwordIn(stack) })))

test('a password that is set later is checked when it is set', () => {
  expect(late(() => 'hunter2')).toContain(
    'acme/team/dana: password: contains more than the value of a variable',
  )
  expect(late(() => 'hunter2')).not.toContain('hunter2')
  expect(
    invalid((stack) => {
      const password = secret(stack)
      teamWith(() => Lazy.stringValue({ produce: () => password }))(stack)
    }),
  ).toBe('')
})

const alone = (passwordIn: (stack: TerraformStack) => string): string =>
  invalid((stack) => new User(stack, 'dana', { ...danaWith(passwordIn(stack)), roles: [] }))

test('the password of a user outside of a table is checked too', () => {
  expect(alone(() => 'hunter2')).toContain('acme/dana: password: contains more than the value of a variable')
  expect(alone((stack) => variable(stack, { sensitive: true }))).toContain('make it a SecretVariable')
  expect(alone(secret)).toBe('')
})

test.each<[string, object, string]>([
  ['no users', { users: {}, roles: {} }, 'users: at least one is needed'],
  [
    'a misspelt role',
    { roles: { sam: { acme: ['ORG_OWNR'] } } },
    'roles.sam.acme[0]: "ORG_OWNR" is not a valid organization role; did you mean ORG_OWNER?',
  ],
  [
    'a role of another scope',
    { roles: { sam: { payments: ['ORG_OWNER'] } } },
    'roles.sam.payments[0]: "ORG_OWNER" is not a valid project role',
  ],
  [
    'a role twice',
    { roles: { sam: { acme: ['ORG_OWNER', 'ORG_OWNER'] } } },
    'roles.sam.acme[1]: ORG_OWNER is given twice',
  ],
  [
    'a column that is none',
    { roles: { sam: { paymnts: ['GROUP_OWNER'] } } },
    'roles.sam.paymnts: names no organization and no project; did you mean payments?',
  ],
  [
    'a row of nobody',
    { roles: { sam: { acme: ['ORG_OWNER'] }, sma: { acme: ['ORG_OWNER'] } } },
    'roles.sma: is not in users',
  ],
  ['somebody without a row', { roles: {} }, 'roles.sam: no role: give one, or omit the user'],
  ['an empty row', { roles: { sam: { acme: [] } } }, 'roles.sam: no role'],
  [
    'one name for two columns',
    { projects: { acme: projects.search } },
    'projects: "acme" names two columns of the table',
  ],
  [
    'a user to adopt whose roles may be incomplete',
    { users: { sam: { userId: sam.userId } } },
    'users.sam.rolesComplete: has to be true',
  ],
  [
    'a new user without a name',
    { users: { sam: { emailAddress: 'sam@example.com' } } },
    'users.sam.username: is needed to create a user',
  ],
])('refuses %s', (_, changes, message) => {
  expect(refused(changes)).toContain(message)
  expect(refused(changes)).toMatch(/^acme\/team: /)
})
