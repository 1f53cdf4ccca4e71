import {
  defineKind,
  element,
  everything,
  forget,
  get,
  getList,
  id,
  integer,
  named,
  none,
  one,
  oneOf,
  patch,
  plainly,
  set,
} from '@deploymgmt/provider/core'

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const

export default defineKind({
  kind: 'snapshot_schedule',
  section: 'snapshotSchedules',
  title: 'Snapshot schedule',
  summary: 'Sets how often the clusters of a project are backed up.',
  identity: named(['projectId'], 'clusterId', { keyInAnswer: 'clusterId' }),
  fields: {
    projectId: id('Project of the cluster.', { place: 'project' }).names().onTheWire('groupId'),
    clusterId: id('The cluster.').names(),
    intervalHours: integer('Hours between two snapshots.').onTheWire('snapshotIntervalHours'),
    retentionDays: integer('Days for which a snapshot is kept.')
      .onTheWire('snapshotRetentionDays')
      .optional(),
    fullOn: set(element.oneOf(DAYS, 'day'), 'Days of full snapshots.').optional(),
    mode: oneOf(['INCREMENTAL', 'FULL'], 'mode', 'What a snapshot holds.').or('INCREMENTAL'),
  },
  expand: one(),
  observe: everything(
    getList('/groups/{projectId}/snapshotSchedules', 22),
    get('/groups/{projectId}/snapshotSchedules/{clusterId}', 23),
  ),
  establish: {
    create: none(
      'this API has no call to create a snapshot schedule; each cluster has one',
      'By hand: Project {projectId} → Backup → Start, then plan again.',
    ),
    adopt: { learnBy: [] },
  },
  write: patch('/groups/{projectId}/snapshotSchedules/{clusterId}', 24),
  fixed: none('what is shown of a snapshot schedule can be declared'),
  absence: none('this API has no call to delete a snapshot schedule'),
  lifetime: none('a snapshot schedule does not end by itself'),
  release: {
    forget,
    restore: {
      way: 'send',
      summary:
        'The interval that adoption saw is restored, if the live value is still what was last written.',
      body: ({ adopted, applied }) => {
        const seen = adopted?.['intervalHours']
        return seen === undefined || seen === applied['intervalHours'] ? undefined : { intervalHours: seen }
      },
      ifUntouched: true,
    },
  },
  witness: {
    event: 'clusterId',
    instance: 'clusterId',
    places: ['groupId', 'orgId'],
    types: ['CLUSTER_SNAPSHOT_SCHEDULE_'],
    fields: {},
    sets: {},
    repeated: [],
    endedBy: /_DELETED/,
  },
  unmanaged: {
    foundBy: 'list',
    alsoNamedBy: [],
    what: ({ intervalHours }) => `takes a snapshot every ${String(intervalHours)} hours`,
  },
  guards: [],
  adoption: plainly(({ clusterName, clusterId }) => [String(clusterName ?? clusterId)]),
  silences: none('a schedule does not affect alerts'),
  rules: [
    {
      over: 'entry',
      reads: ['intervalHours', 'retentionDays'],
      check: ({ intervalHours, retentionDays }) =>
        Number(retentionDays) * 24 < Number(intervalHours)
          ? [{ path: ['retentionDays'], text: 'a snapshot would be gone before the next one is made' }]
          : [],
    },
  ],
  docs: {
    example: `snapshotSchedules:
  payments:
    projectId: 5c8100bcf2a30b12ff88258f
    clusterId: 5d1113b25a115342acc2d2bb
    intervalHours: 6
    retentionDays: 2`,
    notes: ['Each cluster has one schedule; it comes with the backup of the cluster.'],
  },
})
