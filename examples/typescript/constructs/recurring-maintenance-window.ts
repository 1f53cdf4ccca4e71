import { DeploymgmtProvider, RecurringMaintenanceWindow, synthesize } from '@deploymgmt/constructs'
import { App, TerraformStack } from 'cdktf'

const app = new App()
const stack = new TerraformStack(app, 'recurring-maintenance-window')
new DeploymgmtProvider(stack, 'deploymgmt')

new RecurringMaintenanceWindow(stack, 'patching', {
  projectId: '5c8100bcf2a30b12ff88258f',
  alertTypeNames: ['HOST', 'REPLICA_SET'],
  rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;BYHOUR=3;BYMINUTE=0;BYSECOND=0',
  timezone: 'Europe/Madrid',
  duration: 'PT2H',
  from: '2030-03-01',
  until: '2030-06-01',
  // Every second Sunday, counted from here: `from` may move on without a shift.
  anchor: '2030-01-01',
  description: 'Patching',
})

synthesize(app)
