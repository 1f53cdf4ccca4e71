import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import { readAndPlan, type Records, type Run } from '@deploymgmt/provider/engine'
import { RequestError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { loadDeclaration } from '../../reconciler/config/index.ts'
import {
  CI,
  install,
  manifestWith,
  ORG,
  PROJECT,
  type Installation,
  failing,
} from '../support/installation.ts'
import { emptyState } from '../support/scene.ts'

let here: Installation
afterEach(async () => {
  await here.control('DELETE', 'faults')
  await here.forgetRequests()
})
afterAll(() => here.close())

const ONE = '5d1113b25a115342acc2d1aa'
const single = manifestWith({
  alertConfigurations: `  noisy: { alertConfigId: ${ONE}, enabled: false, onRemove: restore }`,
})
/** Each kind of read in a plan, and a manifest that leads to it. */
const READS: [string, string, string][] = [
  ['the list of alert configurations', `^/groups/${PROJECT}/alertConfigs$`, manifestWith()],
  ['one alert configuration', `^/groups/${PROJECT}/alertConfigs/${ONE}$`, single],
  ['the list of integrations', `^/groups/${PROJECT}/integrations$`, manifestWith()],
  ['an access list', `/accessList$`, manifestWith()],
  ['the events of an organization', `^/orgs/${ORG}/events$`, manifestWith()],
]

/** Applies everything, so that a plan without faults finds nothing to do. */
beforeAll(async () => {
  here = await install()
  await emptyState(here)
  await here.manifest(manifestWith())
  await here.run('apply', '--auto-approve')
  await here.forgetRequests()
})

/** Plans with a client that does not wait between attempts. */
const plan = async (): Promise<Run> => {
  const { declaration } = await loadDeclaration(
    { files: [join(here.folder, 'deploymgmt.yaml')], cwd: here.folder },
    kinds,
  )
  const { resources } = await here.state()
  const records = Object.fromEntries(
    Object.entries(resources as Records).filter(([address]) =>
      declaration.entries.some((entry) => address.startsWith(entry.address)),
    ),
  )
  const client = createClient({ baseUrl: here.baseUrl, ...CI, delay: async () => {} })
  try {
    return await readAndPlan(client, { definitions: kinds, declaration, records, look: 'for-plan' })
  } finally {
    await client.close()
  }
}

const failure = async (): Promise<RequestError> => {
  const error: unknown = await plan().then(
    (run) => new Error(`it planned: ${JSON.stringify(run.plan.planned.map(({ change }) => change.action))}`),
    (reason: unknown) => reason,
  )
  if (error instanceof RequestError) return error
  throw error
}

const FAULTS: [string, object, string][] = [
  ['fails', { fault: 'status', status: 500 }, 'DM-SERVICE-FAILURE'],
  ['is overloaded', { fault: 'status', status: 429, retryAfter: 1 }, 'DM-RATE-LIMITED'],
  ['breaks the connection', { fault: 'reset-before' }, 'DM-UNREACHABLE'],
  ['cuts the answer', { fault: 'truncate' }, 'DM-MALFORMED-ANSWER'],
  ['answers no JSON', { fault: 'malformed' }, 'DM-MALFORMED-ANSWER'],
  ['answers with other types', { fault: 'wrong-type' }, 'DM-MALFORMED-ANSWER'],
  ['names a key twice', { fault: 'duplicate-keys' }, 'DM-MALFORMED-ANSWER'],
  ['answers with 33 MB', { fault: 'huge', bytes: 33 * 1024 * 1024 }, 'DM-ANSWER-TOO-LARGE'],
  ['calls every nonce stale', { fault: 'stale-nonce' }, 'DM-AUTH-UNSUPPORTED'],
  ['redirects to nowhere', { fault: 'status', status: 302 }, 'DM-MALFORMED-ANSWER'],
  ['does not know the path', { fault: 'status', status: 400 }, 'DM-INVALID-REQUEST'],
]

it('finds nothing to do in a plan without faults', async () => {
  await here.manifest(manifestWith())
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

describe.each(READS)('a service that, asked for %s,', (_, path, manifest) => {
  it.each(FAULTS)('%s makes an error of the plan, and never "nothing to do"', async (__, fault, code) => {
    await here.manifest(manifest)
    await here.control('POST', 'faults', { method: 'GET', path, ...fault })
    const error = await failure()
    expect(error.code).toBe(code)
    expect(error.where).toMatch(/^GET \S+ → /)
    expect(error.path).toMatch(new RegExp(path.replace('$', '(\\?|$)')))
    expect((await here.requests()).log.length).toBeLessThan(40)
  })

  it('recovers within the budget is no error', async () => {
    await here.manifest(manifest)
    await here.control('POST', 'faults', { method: 'GET', path, fault: 'status', status: 503, count: 2 })
    await here.control('POST', 'faults', { method: 'GET', path, fault: 'malformed', count: 1 })
    const { plan: made } = await plan()
    expect(made.planned.map(({ change }) => change.action)).toEqual(made.planned.map(() => 'unchanged'))
  })
})

describe('a service that refuses one kind of read', () => {
  it.each([['the events', `^/orgs/${ORG}/events$`]])(
    'lowers the evidence with a warning where it is %s',
    async (_, path) => {
      await here.manifest(manifestWith())
      await here.control('POST', 'faults', { method: 'GET', path, fault: 'status', status: 403 })
      const { plan: made } = await plan()
      expect(made.warnings).toMatchObject([{ code: 'events-refused', status: 403 }])
      expect(made.planned.map(({ change }) => change.action)).toEqual(made.planned.map(() => 'unchanged'))
    },
  )

  it('makes an error where it is what a plan cannot do without, with what was asked for', async () => {
    await here.manifest(manifestWith())
    await failing(here, 'GET', '/integrations$', { fault: 'status', status: 403 })
    const error = await failure()
    expect(error.code).toBe('DM-FORBIDDEN')
    expect(error.where).toContain(`GET ${here.baseUrl}/groups/${PROJECT}/integrations`)
  })
})
