import { Construct } from 'constructs'
import { given, own } from './checks.ts'
import { watchForConflicts } from './conflicts.ts'
import { refuse } from './declaration-error.ts'
import { User, type UserRoles } from './generated/all.ts'
import type { Person } from './person.ts'
import {
  checkConfig,
  checkDeclaredElsewhere,
  checkTable,
  tableOf,
  type Cells,
  type Table,
  type TeamRolesConfig,
} from './role-table.ts'

/** One table of roles for many users, organizations and projects. */
export class TeamRoles<
  const O extends string = never,
  const P extends string = never,
  const U extends string = string,
> extends Construct {
  readonly users: Readonly<Record<U, User>>

  constructor(scope: Construct, id: string, config: TeamRolesConfig<O, P, U>) {
    super(scope, id)
    refuse(this, checkConfig(config))
    const table = tableOf(config)
    refuse(this, [...checkTable(this, table), ...checkDeclaredElsewhere(this, table)])
    watchForConflicts(this)
    this.users = Object.fromEntries(
      Object.keys(table.users).map((name) => [name, userFor(this, name, table)]),
    ) as Record<U, User>
  }
}

const userFor = (scope: Construct, name: string, table: Table): User => {
  const { rolesComplete, ...person } = own(table.users, name) as Person
  return new User(
    scope,
    name,
    given({
      ...(person as Partial<Person>),
      rolesComplete,
      roles: rolesOf(table, own(table.roles, name) ?? {}),
      onRemove: table.onRemove,
      provider: table.provider,
    }),
  )
}

const rolesOf = ({ organizations, projects }: Table, row: Cells): UserRoles[] => [
  ...Object.entries(organizations).flatMap(([column, orgId]) =>
    (own(row, column) ?? []).map((roleName) => ({ roleName, orgId })),
  ),
  ...Object.entries(projects).flatMap(([column, projectId]) =>
    (own(row, column) ?? []).map((roleName) => ({ roleName, projectId })),
  ),
  ...(own(row, 'global') ?? []).map((roleName) => ({ roleName })),
]
