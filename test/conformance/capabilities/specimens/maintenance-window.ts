import { maintenanceWindow } from '@deploymgmt/provider/kinds'
import type { Scene } from '../support/scene.ts'
import type { Specimen } from '../support/specimen.ts'
import { fixture, ids, PROJECT, window } from './fixture.ts'

const LIST = `/groups/${PROJECT}/maintenanceWindows/`
const at = (key: string): string => `${LIST}${key}`
/** Sets the service's clock, which then stands still. */
const clock =
  (now: string) =>
  async ({ control }: Scene): Promise<void> => {
    await control('POST', 'clock', { now })
  }
// The service already has a window with the same values, and no endpoint tells the two apart.
const mine = { entry: window, is: ({ id }: any) => id !== ids.migration, body: window }

const taken = { ...window, windowId: ids.migration }

const specimen: Specimen = {
  kind: maintenanceWindow,
  contract: {
    endpoints: [14, 15],
    create: `POST ${LIST}`,
    adopt: 'by id',
    observe: [],
    change: {
      fields: ['alertTypeNames', 'startDate', 'endDate', 'description'],
      request: (id) => `PATCH ${at(id)}`,
    },
    release: ['end', 'forget'],
    remove: 'no',
  },
  fixture,
  things: ({ projects }) => projects[0].maintenanceWindows,
  identityOf: ({ id }) => ({ projectId: PROJECT, id }),
  inWords: ({ alertTypeNames, startDate, endDate, description }) => ({
    alertTypeNames,
    startDate,
    endDate,
    description,
  }),
  absent: mine,
  there: { entry: taken, is: ({ id }) => id === ids.migration },
  other: { entry: taken, is: ({ id }) => id === ids.migration },
  managed: mine,
  adopted: [window],
  edits: {
    alertTypeNames: { to: ['BACKUP'], body: { alertTypeNames: ['BACKUP'] } },
    startDate: { to: '2035-01-06T01:00:00Z', body: { startDate: '2035-01-06T01:00:00Z' } },
    endDate: { to: '2035-01-06T05:00:00Z', body: { endDate: '2035-01-06T05:00:00Z' } },
    description: { to: 'Postponed', body: { description: 'Postponed' } },
  },
  tamper: (thing) => {
    thing.endDate = '2035-01-06T09:00:00Z'
  },
  lifetime: {
    running: clock('2035-01-06T03:59:59Z'),
    over: clock('2035-01-06T04:00:00Z'),
    edit: { description: 'Too late' },
    later: { startDate: '2035-02-03T02:00:00Z', endDate: '2035-02-03T04:00:00Z' },
  },
  release: {
    end: [
      {
        title: 'moves one that has not begun to one second from now',
        meanwhile: clock('2035-01-05T00:00:00Z'),
        body: { startDate: '2035-01-05T00:00:01Z', endDate: '2035-01-05T00:00:02Z' },
        leaves: { startDate: '2035-01-05T00:00:01Z', endDate: '2035-01-05T00:00:02Z' },
      },
      {
        title: 'gives one that has begun this moment as its end',
        meanwhile: clock('2035-01-06T03:00:00Z'),
        body: { endDate: '2035-01-06T03:00:01Z' },
        leaves: { endDate: '2035-01-06T03:00:01Z' },
      },
      {
        title: 'sends nothing to one that has ended',
        meanwhile: clock('2035-01-06T04:00:00Z'),
        action: 'expired',
      },
    ],
    forget: [{ title: 'leaves it as it is' }],
  },
  acts: {
    MAINTENANCE_WINDOW_CHANGED_AUDIT: {
      method: 'PATCH',
      path: ({ id }) => at(id),
      body: { description: 'Theirs' },
    },
  },
  guards: [],
  notes: [
    { about: /can be local times with their zone/, shownBy: ['end to end'] },
    { about: /can be changed while its end is in the future/, shownBy: ['Change'] },
    { about: /taken over by its `windowId`/, shownBy: ['Adopt'] },
    { about: /make a new window/, shownBy: ['Change'] },
    {
      about: /creates a window for each occurrence/,
      shownBy: ['end to end'],
    },
    { about: /To end a window that has begun/, shownBy: ['end to end'] },
    {
      about: /changed `projectId`/,
      shownBy: ['end to end'],
    },
    { about: /answer to a creation is lost, events that name the new window/, shownBy: ['Create'] },
  ],
}
export default specimen
