import { DeploymgmtProvider, ProjectBaseline, synthesize, type Baseline } from '@deploymgmt/constructs'
import { App, TerraformOutput, TerraformStack } from 'cdktf'

const app = new App()
const stack = new TerraformStack(app, 'project-baseline')
new DeploymgmtProvider(stack, 'deploymgmt')

const baseline = {
  alerts: { hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true } },
  windows: {
    patching: {
      alertTypeNames: ['HOST'],
      rrule: 'FREQ=MONTHLY;BYDAY=1SU;BYHOUR=3;BYMINUTE=0;BYSECOND=0',
      timezone: 'Europe/Madrid',
      duration: 'PT2H',
      from: '2030-01-01',
      until: '2030-07-01',
    },
  },
  integrations: { present: ['PAGING'] },
  agents: ['MONITORING'],
} satisfies Baseline

const payments = new ProjectBaseline(stack, 'payments', {
  projectId: '5c8100bcf2a30b12ff88258f',
  baseline,
})
new ProjectBaseline(stack, 'search', {
  projectId: '5c8100bcf2a30b12ff882590',
  baseline,
  overrides: { alerts: { hostDown: { enabled: false } }, windows: { patching: null } },
})

const agents = payments.agents.MONITORING
if (agents !== undefined) new TerraformOutput(stack, 'monitoring_agents', { value: agents.totalCount })

synthesize(app)
