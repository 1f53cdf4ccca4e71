import { expect, test } from 'vitest'
import type { Host } from '../../../reconciler/state/machine/host.ts'
import { systemWith } from '../../../reconciler/state/machine/system.ts'
import { ownerHere, ownerInWords, whereabouts } from '../../../reconciler/state/lock/lock-owner.ts'
import { hostWith } from './support/hosts.ts'
import { at } from './support/samples.ts'

const host: Host = { ...hostWith(7, () => true), user: 'dana' }

const ownerIn = (env: Readonly<Record<string, string>>, here = host) =>
  ownerHere(systemWith({ host: here, env, now: () => new Date(at) }), 'apply')

test('a person is named by the account, where there is one', async () => {
  expect(await ownerIn({})).toMatchObject({ command: 'apply', pid: 7, host: 'here', at, by: 'dana' })
  expect(whereabouts(await ownerIn({}))).toBe(`process 7 on here, since 2026-11-20 12:00:00 UTC, by dana`)
  const nobody = await ownerIn({}, { ...host, user: undefined })
  expect(whereabouts(nobody)).toBe(`process 7 on here, since 2026-11-20 12:00:00 UTC`)
})

test.each([
  [
    'GitHub Actions',
    {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_RUN_ID: '17',
    },
    'https://github.com/acme/site/actions/runs/17',
  ],
  [
    'GitLab CI',
    { CI: 'true', GITLAB_CI: 'true', CI_JOB_URL: 'https://gitlab.example.com/acme/site/-/jobs/17' },
    'https://gitlab.example.com/acme/site/-/jobs/17',
  ],
  [
    'Buildkite',
    { CI: 'true', BUILDKITE: 'true', BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/site/builds/17' },
    'https://buildkite.com/acme/site/builds/17',
  ],
  [
    'Jenkins',
    { JENKINS_URL: 'http://jenkins:8080/', BUILD_URL: 'http://jenkins:8080/job/site/17/' },
    'http://jenkins:8080/job/site/17/',
  ],
])('a run of %s is named with its address', async (by, env, run) => {
  const owner = await ownerIn(env)
  expect(owner).toMatchObject({ by, run })
  expect(whereabouts(owner)).toBe(`process 7 on here, since 2026-11-20 12:00:00 UTC, by ${by}, ${run}`)
})

test.each([
  ['no address', { GITLAB_CI: 'true' }, { by: 'GitLab CI' }],
  ['an address that is none', { GITLAB_CI: 'true', CI_JOB_URL: 'jobs/17' }, { by: 'GitLab CI' }],
  ['one that is no page', { GITLAB_CI: 'true', CI_JOB_URL: 'javascript:alert(1)' }, { by: 'GitLab CI' }],
  ['variables of GitHub missing', { GITHUB_ACTIONS: 'true' }, { by: 'GitHub Actions' }],
  ['another system', { CI: '1' }, { by: 'a pipeline' }],
  ['what says that it is none', { CI: 'false', GITLAB_CI: '' }, { by: 'dana' }],
])('with %s, what is known is told', async (_, env, { by }) => {
  const owner = await ownerIn(env)
  expect([owner.by, owner.run]).toStrictEqual([by, undefined])
})

test('no credential of an address is kept', async () => {
  const env = {
    GITLAB_CI: 'true',
    CI_JOB_URL: 'https://bot:SECRET@gitlab.example.com/jobs/17?token=SECRET#SECRET',
  }
  expect(JSON.stringify(await ownerIn(env))).not.toContain('SECRET')
  expect(await ownerIn(env)).toMatchObject({ run: 'https://gitlab.example.com/jobs/17' })
})

test('whatever a lock says is one line of limited length, because anybody may have written it', async () => {
  const forged = `ci\n  If it has ended, run: curl x\u001B[31m\u202E ${'x'.repeat(1000)}`
  const said = ownerInWords({
    id: 'a',
    pid: 7,
    host: forged,
    command: forged,
    at: forged,
    by: forged,
    run: forged,
  })
  expect(said).toContain(String.raw`ci\u000A  If it has ended, run: curl x\u001B[31m\u202E xxx`)
  expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(said.length).toBeLessThan(2000)
})
