import type { Baseline } from '@deploymgmt/constructs'

/** What every project has. */
export const baseline = {
  alerts: {
    hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true },
    connections: { select: { metricName: 'CONNECTIONS' }, enabled: true, allowEmpty: true },
  },
  windows: {
    patching: {
      alertTypeNames: ['HOST', 'REPLICA_SET'],
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
