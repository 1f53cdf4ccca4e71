import type { TerraformProvider } from 'cdktf'
import type { Construct } from 'constructs'
import {
  checkIds,
  checkNames,
  checkRemoval,
  checkWords,
  isKnown,
  didYouMean,
  own,
  problem,
} from './checks.ts'
import { addressIn, all, apart, sameAddress } from './conflict.ts'
import type { Problem } from './declaration-error.ts'
import { User } from './generated/all.ts'
import { REMOVALS } from './generated/removals.ts'
import { GLOBAL_ROLES, ORGANIZATION_ROLES, PROJECT_ROLES } from './generated/vocabulary.ts'
import { checkPeople, checkPerson, type Person } from './person.ts'
import type { GlobalRole, OrganizationRole, ProjectRole, Removal, Role } from './vocabulary.ts'
import { anything, checkShape, lateText, list, needed, table as tablePart, type Shape } from './shape.ts'

/**
 * The roles of one person: a column for each organization and project by name, and `global`. Where the names come from
 * a configuration, the compiler cannot tell the columns apart, and synthesis checks the scope of each role.
 */
export type RoleRow<O extends string = string, P extends string = string> = string extends O | P
  ? { readonly [column: string]: readonly Role[] }
  : { readonly [name in O]?: readonly OrganizationRole[] } & {
      readonly [name in P]?: readonly ProjectRole[]
    } & { readonly global?: readonly GlobalRole[] }

export interface TeamRolesConfig<
  O extends string = never,
  P extends string = never,
  U extends string = string,
> {
  /** Ids of organizations by name. */
  readonly organizations?: Readonly<Record<O, string>>
  /** Ids of projects by name. */
  readonly projects?: Readonly<Record<P, string>>
  /** People by name; the names become logical ids. */
  readonly users: Readonly<Record<U, Person>>
  /** The table: a row for each of the users. They have no roles beyond it. */
  readonly roles: { readonly [name in NoInfer<U>]: RoleRow<NoInfer<O>, NoInfer<P>> }
  readonly onRemove?: Removal<'user'>
  readonly provider?: TerraformProvider
}

export type Cells = Readonly<Record<string, readonly string[] | undefined>>

/** The configuration without names in its types, which are for the author. */
export interface Table {
  readonly organizations: Readonly<Record<string, string>>
  readonly projects: Readonly<Record<string, string>>
  readonly users: Readonly<Record<string, Person>>
  readonly roles: Readonly<Record<string, Cells>>
  readonly onRemove: string | undefined
  readonly provider: TerraformProvider | undefined
}

export const tableOf = <O extends string, P extends string, U extends string>(
  config: TeamRolesConfig<O, P, U>,
): Table => ({
  organizations: config.organizations ?? {},
  projects: config.projects ?? {},
  users: config.users,
  roles: config.roles,
  onRemove: config.onRemove,
  provider: config.provider,
})

const SHAPE: Shape<TeamRolesConfig> = {
  organizations: tablePart,
  projects: tablePart,
  users: needed(tablePart),
  roles: needed(tablePart),
  onRemove: lateText,
  provider: anything,
}

export const checkConfig = (config: object): Problem[] => {
  const found = checkShape<TeamRolesConfig>('', config, SHAPE)
  if (found.length > 0) return found
  const { users, roles } = config as { users: object; roles: Readonly<Record<string, object>> }
  const wrong = [...checkNames('users', users), ...checkPeople('users', users)]
  return [
    ...wrong,
    ...Object.entries(roles).flatMap(([name, row]) =>
      checkShape(
        `roles.${name}`,
        row,
        Object.fromEntries(Object.keys(row ?? {}).map((column) => [column, list])),
      ),
    ),
  ]
}

export const checkTable = (scope: Construct, table: Table): Problem[] => {
  const { organizations, projects, users, roles, onRemove } = table
  const columns = [...Object.keys(organizations), ...Object.keys(projects), 'global']
  const duplicates = columns.filter((column, index) => columns.indexOf(column) < index)
  return [
    ...checkIds('organizations', organizations),
    ...checkIds('projects', projects),
    ...duplicates.map((name) => problem('projects', `"${name}" names two columns of the table`)),
    ...(Object.keys(users).length === 0 ? [problem('users', 'at least one is needed')] : []),
    ...Object.entries(users).flatMap(([name, person]) => checkPerson(scope, `users.${name}`, person)),
    ...Object.keys(users).flatMap((name) => checkRow(table, name, columns)),
    ...Object.keys(roles)
      .filter((name) => own(users, name) === undefined)
      .map((name) => problem(`roles.${name}`, `is not in users${didYouMean(name, Object.keys(users))}`)),
    ...checkRemoval('onRemove', onRemove, REMOVALS.user),
  ]
}

const checkRow = (table: Table, name: string, columns: readonly string[]): Problem[] => {
  const row = own(table.roles, name)
  const property = `roles.${name}`
  if (row === undefined || Object.values(row).every((cell) => (cell ?? []).length === 0))
    return [problem(property, 'no role: give one, or omit the user (onRemove: revoke removes the roles)')]
  return Object.entries(row).flatMap(([column, cell]) => {
    if (!columns.includes(column))
      return [
        problem(
          `${property}.${column}`,
          `names no organization and no project${didYouMean(column, columns)}`,
        ),
      ]
    const [noun, allowed] = Object.hasOwn(table.organizations, column)
      ? (['organization role', ORGANIZATION_ROLES] as const)
      : Object.hasOwn(table.projects, column)
        ? (['project role', PROJECT_ROLES] as const)
        : (['global role', GLOBAL_ROLES] as const)
    return checkWords(`${property}.${column}`, noun, cell ?? [], allowed)
  })
}

const same = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a === b && isKnown(a)

const declaredBy = (path: string): string => `is already declared by ${path}; a user has one list of roles`

/** The service has one list of roles per user: two declarations of one person would undo each other. */
export const checkDeclaredElsewhere = (scope: Construct, { users, provider }: Table): Problem[] => {
  const declared = all(scope.node.root, User)
  // Its address is looked for in its whole stack, so only if the person is the same.
  const isHere = (user: User): boolean =>
    sameAddress(addressIn(scope, provider), addressIn(user, user.provider))
  const people = Object.entries(users)
  return people.flatMap(([name, person], index) =>
    [
      ...declared
        .filter((user) => samePerson(person, identityOf(user)) && isHere(user))
        .map((user) => `${declaredBy(user.node.path)}${apart(scope, user)}`),
      ...people
        .slice(0, index)
        .filter(([, earlier]) => samePerson(person, earlier))
        .map(([earlier]) => declaredBy(`${scope.node.path}/${earlier}`)),
    ].map((message) => problem(`users.${name}`, message)),
  )
}

interface Identity {
  readonly userId?: string | undefined
  readonly username?: string | undefined
}

const samePerson = (one: Identity, other: Identity): boolean =>
  same(one.userId, other.userId) || same(one.username, other.username)

const identityOf = ({ userIdInput, usernameInput }: User): Identity => ({
  userId: userIdInput,
  username: usernameInput,
})
