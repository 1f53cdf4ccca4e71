import { AlertPolicy, DeploymgmtProvider, RecurringMaintenanceWindow } from '@deploymgmt/constructs'
import { TerraformStack } from 'cdktf'
import type { Construct } from 'constructs'

// Your own ids: they are in the addresses of the pages of your organization and projects.
const organization = '5980cfdf0b6d97029d82f86e'
const projects = { payments: '5c8100bcf2a30b12ff88258f' }

export class Declarations extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id)
    // Address and keys come from DEPLOYMGMT_BASE_URL, DEPLOYMGMT_PUBLIC_KEY and DEPLOYMGMT_PRIVATE_KEY.
    // Events of the organization tell of changes from outside, of windows above all.
    // Plans and reports call projects by these names.
    new DeploymgmtProvider(this, 'deploymgmt', { orgId: organization, projects })

    new AlertPolicy(this, 'alerts', {
      projects,
      alerts: {
        'host-down': { select: { eventTypeName: 'HOST_DOWN' }, enabled: true },
      },
    })

    new RecurringMaintenanceWindow(this, 'patching', {
      projectId: projects.payments,
      alertTypeNames: ['HOST'],
      rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0;BYSECOND=0',
      timezone: 'Europe/Madrid',
      duration: 'PT2H',
      from: '2030-01-01',
      until: '2030-04-01',
      description: 'Weekly patching',
    })
  }
}
