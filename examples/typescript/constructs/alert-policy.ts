import { AlertPolicy, DeploymgmtProvider, synthesize } from '@deploymgmt/constructs'
import { App, TerraformStack } from 'cdktf'

const app = new App()
const stack = new TerraformStack(app, 'alert-policy')
new DeploymgmtProvider(stack, 'deploymgmt')

new AlertPolicy(stack, 'alerts', {
  projects: {
    payments: '5c8100bcf2a30b12ff88258f',
    search: '5c8100bcf2a30b12ff882590',
    ledger: '5c8100bcf2a30b12ff882591',
  },
  alerts: {
    hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true },
    connections: {
      select: { eventTypeName: 'OUTSIDE_METRIC_THRESHOLD', metricName: 'CONNECTIONS' },
      enabled: false,
      // Not every project has one.
      allowEmpty: true,
      onRemove: 'restore',
    },
  },
})

synthesize(app)
