import { apiKey } from '@deploymgmt/provider/kinds'
import type { Specimen } from '../support/specimen.ts'
import { fixture, fixtureBut, group, ids, ORG } from './fixture.ts'

const at = (key: string): string => `/orgs/${ORG}/apiKeys/${key}`
const entry = {
  apiKeyId: ids.reporter,
  desc: 'Reporting',
  roles: ['ORG_MEMBER'],
  accessList: ['192.0.2.0/24', '198.51.100.7/32'],
}
const key = (apiKeyId: string, desc: string, ...roles: string[]) => ({ apiKeyId, desc, roles })
const mine = { entry, is: ({ id }: any) => id === ids.reporter }

const specimen: Specimen = {
  kind: apiKey,
  contract: {
    endpoints: [1, 2],
    create: 'no',
    adopt: 'by id',
    observe: [(id) => `GET ${at(id)}/accessList`],
    change: { fields: ['desc', 'roles'], request: (id) => `PATCH ${at(id)}` },
    release: ['forget'],
    remove: 'no',
  },
  fixture,
  things: ({ organizations }) => organizations[0].apiKeys,
  identityOf: ({ id }) => ({ orgId: ORG, apiKeyId: id }),
  inWords: ({ desc, roles, accessList }) => ({
    desc,
    roles: roles.filter(({ orgId }: any) => orgId === ORG).map(({ roleName }: any) => roleName),
    accessList: accessList.map(({ cidrBlock }: any) => cidrBlock),
  }),
  absent: {
    entry: { apiKeyId: ids.nobody, desc: 'Nobody', accessList: [] },
    is: ({ id }) => id === ids.nobody,
  },
  there: mine,
  other: {
    entry: { apiKeyId: ids.oncall, desc: 'On call', accessList: [] },
    is: ({ id }) => id === ids.oncall,
  },
  managed: mine,
  adopted: [{ desc: 'Reporting' }, { roles: ['ORG_MEMBER'] }],
  edits: {
    desc: { to: 'Nightly reports', body: { desc: 'Nightly reports' } },
    roles: { to: ['ORG_READ_ONLY'], body: { roles: ['ORG_READ_ONLY'] } },
  },
  tamper: (thing) => {
    thing.desc = 'Theirs'
  },
  tamperPart: {
    accessList: ({ accessList }) => accessList.push({ cidrBlock: '203.0.113.0/24', count: 0 }),
  },
  release: { forget: [{ title: 'leaves it as it is' }] },
  acts: {
    API_KEY_ROLES_CHANGED: { method: 'PATCH', path: ({ id }) => at(id), body: { roles: ['ORG_READ_ONLY'] } },
    API_KEY_DESCRIPTION_CHANGED: { method: 'PATCH', path: ({ id }) => at(id), body: { desc: 'Theirs' } },
  },
  guards: [
    {
      guard: 'keeps roles',
      title: 'of the key that is calling, though others hold it',
      flag: '--allow-owner-removal',
      before: { mine: key(ids.ci, 'CI', 'ORG_OWNER'), other: key(ids.oncall, 'On call', 'ORG_OWNER') },
      after: { mine: key(ids.ci, 'CI', 'ORG_MEMBER'), other: key(ids.oncall, 'On call', 'ORG_OWNER') },
      because: /calling key would lose its own ORG_OWNER/,
      sends: `PATCH ${at(ids.ci)}`,
    },
    {
      guard: 'keeps roles',
      title: 'of the last holder that was seen',
      flag: '--allow-owner-removal',
      before: { mine: key(ids.oncall, 'On call', 'ORG_OWNER') },
      after: { mine: key(ids.oncall, 'On call', 'ORG_MEMBER') },
      because: /it is the last known holder of ORG_OWNER in \w+, and would lose it/,
      sends: `PATCH ${at(ids.oncall)}`,
    },
    {
      guard: 'nothing-beside roles',
      title: 'beside roles of a project',
      fixture: fixtureBut(({ organizations }) =>
        organizations[0].apiKeys[2].roles.push(group('GROUP_READ_ONLY')),
      ),
      flag: '--allow-role-removal',
      before: { mine: key(ids.reporter, 'Reporting', 'ORG_READ_ONLY') },
      after: { mine: key(ids.reporter, 'Reporting', 'ORG_MEMBER') },
      because: /the key also has roles of projects, of another organization or of the installation/,
      sends: `PATCH ${at(ids.reporter)}`,
    },
    {
      guard: 'nothing-beside roles',
      title: 'beside a role of the installation',
      fixture: fixtureBut(({ organizations }) =>
        organizations[0].apiKeys[2].roles.push({ roleName: 'GLOBAL_READ_ONLY' }),
      ),
      flag: '--allow-role-removal',
      before: { mine: key(ids.reporter, 'Reporting', 'ORG_READ_ONLY') },
      after: { mine: key(ids.reporter, 'Reporting', 'ORG_MEMBER') },
      because: /the key also has roles of projects, of another organization or of the installation/,
      sends: `PATCH ${at(ids.reporter)}`,
    },
  ],
  notes: [
    { about: /first write to an adopted key/, shownBy: ['Adopt'] },
    {
      about: /compared within the key’s organization/,
      shownBy: ['Guards', 'end to end'],
    },
    {
      about: /from the calling key, or from the last owner/,
      shownBy: ['Guards', 'end to end'],
    },
    { about: /canonical blocks/, shownBy: ['end to end'] },
  ],
}
export default specimen
