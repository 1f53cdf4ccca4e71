import {
  DeploymgmtProvider,
  IntegrationGuard,
  ProjectBaseline,
  SecretVariable,
  TeamRoles,
} from '@deploymgmt/constructs'
import { TerraformStack } from 'cdktf'
import type { Construct } from 'constructs'
import { baseline } from './baseline.ts'

export const organization = '5980cfdf0b6d97029d82f86e'
export const projects = {
  payments: '5c8100bcf2a30b12ff88258f',
  search: '5c8100bcf2a30b12ff882590',
  ledger: '5c8100bcf2a30b12ff882591',
}

/** One organization with three projects: the same for each, but for what is said otherwise. */
export class Acme extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id)
    new DeploymgmtProvider(this, 'deploymgmt', { orgId: organization, projects })

    new ProjectBaseline(this, 'payments', { projectId: projects.payments, baseline })
    new ProjectBaseline(this, 'search', {
      projectId: projects.search,
      baseline,
      overrides: {
        // Search is operated from New York, and has many connections by design.
        windows: { patching: { timezone: 'America/New_York' } },
        alerts: { connections: { enabled: false } },
      },
    })
    new ProjectBaseline(this, 'ledger', {
      projectId: projects.ledger,
      baseline,
      overrides: { windows: { patching: null } },
    })

    new IntegrationGuard(this, 'chat', { projects, absent: ['CHAT_A'] })
    this.team()
  }

  private team(): void {
    const password = new SecretVariable(this, 'dana_password', {
      description: 'Initial password of dana; read when the account is created.',
    })
    new TeamRoles(this, 'team', {
      organizations: { acme: organization },
      projects,
      users: {
        dana: {
          username: 'dana@example.com',
          emailAddress: 'dana@example.com',
          firstName: 'Dana',
          lastName: 'Reyes',
          mobileNumber: '2125550198',
          password: password.stringValue,
        },
        sam: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true },
      },
      roles: {
        dana: { acme: ['ORG_MEMBER'], payments: ['GROUP_READ_ONLY'], search: ['GROUP_OWNER'] },
        sam: { acme: ['ORG_OWNER'] },
      },
    })
  }
}
