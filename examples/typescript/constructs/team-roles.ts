import { DeploymgmtProvider, SecretVariable, TeamRoles, synthesize } from '@deploymgmt/constructs'
import { App, TerraformStack } from 'cdktf'

const app = new App()
const stack = new TerraformStack(app, 'team-roles')
new DeploymgmtProvider(stack, 'deploymgmt')

const password = new SecretVariable(stack, 'dana_password')

new TeamRoles(stack, 'team', {
  organizations: { acme: '5980cfdf0b6d97029d82f86e' },
  projects: { payments: '5c8100bcf2a30b12ff88258f', search: '5c8100bcf2a30b12ff882590' },
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

synthesize(app)
