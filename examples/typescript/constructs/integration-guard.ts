import { DeploymgmtProvider, IntegrationGuard, synthesize } from '@deploymgmt/constructs'
import { App, TerraformStack } from 'cdktf'

const app = new App()
const stack = new TerraformStack(app, 'integration-guard')
new DeploymgmtProvider(stack, 'deploymgmt')

new IntegrationGuard(stack, 'integrations', {
  projects: { payments: '5c8100bcf2a30b12ff88258f', search: '5c8100bcf2a30b12ff882590' },
  present: ['PAGING'],
  absent: ['CHAT_A'],
})

synthesize(app)
