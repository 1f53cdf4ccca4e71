import { alertConfiguration } from '@deploymgmt/provider/kinds'
import type { Specimen } from '../support/specimen.ts'
import { fixture, ids, PROJECT } from './fixture.ts'

const LIST = `/groups/${PROJECT}/alertConfigs`
const at = (key: string): string => `${LIST}/${key}`
const mine = {
  entry: { alertConfigId: ids.hostDown, enabled: true },
  is: ({ id }: any) => id === ids.hostDown,
}
const turn = (enabled: boolean) => ({
  method: 'PATCH' as const,
  path: ({ id }: any) => at(id),
  body: { enabled },
  declared: { enabled: !enabled },
})

const specimen: Specimen = {
  kind: alertConfiguration,
  contract: {
    endpoints: [3, 5, 7],
    create: 'no',
    adopt: 'by id',
    observe: [() => `GET ${LIST}`, (id) => `GET ${at(id)}`],
    change: { fields: ['enabled'], request: (id) => `PATCH ${at(id)}` },
    release: ['forget', 'restore'],
    remove: 'no',
  },
  fixture,
  things: ({ projects }) => projects[0].alertConfigs,
  identityOf: ({ id }) => ({ projectId: PROJECT, alertConfigId: id }),
  inWords: ({ enabled }) => ({ enabled }),
  absent: { entry: { alertConfigId: ids.nobody, enabled: true }, is: ({ id }) => id === ids.nobody },
  there: mine,
  other: { entry: { alertConfigId: ids.replicaSet, enabled: true }, is: ({ id }) => id === ids.replicaSet },
  managed: mine,
  adopted: [{ enabled: true }],
  edits: { enabled: { to: false, body: { enabled: false } } },
  tamper: (thing) => {
    thing.enabled = false
  },
  release: {
    forget: [{ title: 'leaves it as it is' }],
    restore: [
      {
        title: 'puts back what adoption saw',
        body: { enabled: false },
        leaves: { enabled: false },
      },
      { title: 'sends nothing where adoption saw the same', declared: { enabled: false } },
      {
        title: 'sends nothing where someone else changed it after the last write',
        meanwhile: async ({ outside }) => {
          await outside('PATCH', at(ids.hostDown), { enabled: false })
        },
        leaves: { enabled: false },
      },
    ],
  },
  acts: { ALERT_CONFIG_ENABLED_AUDIT: turn(true), ALERT_CONFIG_DISABLED_AUDIT: turn(false) },
  unrelated: {
    settings: { 'open.alertEvents': 'emitted' },
    // An alert opens; its event names the configuration too.
    cause: async ({ control }) => {
      await control('POST', 'conditions', {
        projectId: PROJECT,
        alertConfigId: ids.hostDown,
        active: true,
      })
    },
  },
  guards: [],
  notes: [
    {
      about: /An id beats a selector/,
      shownBy: ['end to end'],
    },
    {
      about: /cannot use `enabled`/,
      shownBy: ['end to end'],
    },
    {
      about: /what is added later/,
      shownBy: ['end to end'],
    },
    {
      about: /no longer matches/,
      shownBy: ['end to end'],
    },
    {
      about: /one list request for each 500/,
      shownBy: ['Observe', 'end to end'],
    },
  ],
}
export default specimen
