import { integration } from '@deploymgmt/provider/kinds'
import type { Specimen } from '../support/specimen.ts'
import { fixture, fixtureBut, PROJECT } from './fixture.ts'

const LIST = `/groups/${PROJECT}/integrations`
const at = (key: string): string => `${LIST}/${key}`
const mine = { entry: { type: 'PAGING' }, is: ({ type }: any) => type === 'PAGING' }

const specimen: Specimen = {
  kind: integration,
  contract: {
    endpoints: [17, 18],
    create: 'no',
    adopt: 'by id',
    observe: [() => `GET ${LIST}`],
    change: 'no',
    release: ['forget'],
    remove: (type) => `DELETE ${at(type)}`,
  },
  fixture,
  things: ({ projects }) => projects[0].integrations,
  identityOf: ({ type }) => ({ projectId: PROJECT, type }),
  inWords: () => ({}),
  absent: { entry: { type: 'ALERTING_B' }, is: ({ type }) => type === 'ALERTING_B' },
  there: mine,
  other: { entry: { type: 'CHAT_A' }, is: ({ type }) => type === 'CHAT_A' },
  managed: mine,
  adopted: [],
  edits: {},
  tamper: (thing, things) => {
    things.splice(things.indexOf(thing), 1)
  },
  unchangeable: {
    declared: { serviceKey: 'another' },
    tamper: (thing) => {
      thing.serviceKey = 'another-canary-0006'
    },
  },
  // Endpoint 17 never lists APM_SERVICE, although endpoint 18 accepts it.
  removal: {
    fixture: fixtureBut(({ projects }) => {
      projects[0].integrations = [
        'PAGING',
        'CHAT_A',
        'MONITORING_SAAS',
        'CHAT_B',
        'ALERTING_A',
        'ALERTING_B',
        'WEBHOOK',
        'CHAT_C',
        'METRICS_SCRAPER',
      ].map((type) => ({ type }))
    }),
    stays: ['CHAT_C', 'METRICS_SCRAPER'],
    neverThere: ['APM_SERVICE'],
  },
  release: { forget: [{ title: 'leaves it as it is' }] },
  acts: { INTEGRATION_DELETED_AUDIT: { method: 'DELETE', path: ({ type }) => at(type) } },
  guards: [],
  notes: [
    {
      about: /deletion cannot be undone/,
      shownBy: ['Delete'],
    },
    {
      about: /`only` need `--allow-delete`/,
      shownBy: ['end to end'],
    },
    { about: /that endpoint 18 does not list/, shownBy: ['Delete'] },
    {
      about: /secrets of an integration/,
      shownBy: ['Change', 'end to end'],
    },
  ],
}
export default specimen
