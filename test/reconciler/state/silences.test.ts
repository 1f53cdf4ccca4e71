import { expect, it } from 'vitest'
import { whereSilencesAre } from '../../../reconciler/state/index.ts'

it.each([
  ['/a/deploymgmt.state.json', '/a/deploymgmt.silences.json'],
  ['/a/other.json', '/a/other.silences.json'],
  ['/a/state', '/a/state.silences.json'],
  ['git:origin', 'git:origin'],
  ['git:origin#deploymgmt/acme', 'git:origin#deploymgmt/acme-silences'],
  ['postgres://host/database', 'postgres://host/database'],
  ['postgres://host/database?schema=a#acme', 'postgres://host/database?schema=a#acme-silences'],
  ['https://host/state/acme', 'https://host/state/acme-silences'],
  ['https://host/state/acme/?a=b#lock', 'https://host/state/acme-silences?a=b#lock'],
])('beside %s silences are recorded at %s, under a name of their own', (statePath, expected) => {
  expect(whereSilencesAre({ name: 'acme', statePath })).toEqual({
    name: 'acme-silences',
    statePath: expected,
  })
})
