/** Things that come under management again within a second of our own last write: events cannot tell the two apart. */
import { expect, it } from 'vitest'
import { ORG, type Installation } from '../support/installation.ts'
import { resolve } from '../crash/support/unknown.ts'
import {
  begin,
  beginApplied,
  driftOf,
  expectApply,
  manifestOf,
  org,
  REPORTER,
  SAM,
  sam,
} from '../support/people.ts'

let here: Installation

const key = (desc = 'New'): string =>
  `  reporting: { apiKeyId: ${REPORTER}, desc: ${desc}, roles: [ORG_MEMBER] }`
const user = (onRemove: string): string =>
  `  sam: { userId: ${SAM}, rolesComplete: true, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }], onRemove: ${onRemove} }`
const stopClock = (instant: string): Promise<unknown> => here.control('POST', 'clock', { now: instant })

const seenOf = async (address: string) => {
  const { code, verdict, evidence } = await driftOf(here, address)
  return { code, verdict, events: evidence.events }
}
const OWN = { code: 0, verdict: 'unverifiable', events: undefined }

it('a key that was forgotten is no suspect by what we wrote to it before', async () => {
  here = await begin({ apiKeys: key() })
  await stopClock('2035-01-06T02:00:00Z')
  await expectApply(here, 0)
  expect(await here.run('state', 'forget', 'apiKeys.reporting')).toMatchObject({ code: 0 })
  await expectApply(here, 0)
  expect(await seenOf('apiKeys.reporting')).toEqual(OWN)
})

it.each(['forget', 'revoke'])('a user that was let go of (%s) is none either', async (onRemove) => {
  here = await begin({ users: user(onRemove), people: [sam(org('ORG_READ_ONLY'))] })
  await stopClock('2035-01-06T02:00:00Z')
  await expectApply(here, 0)
  await here.manifest(manifestOf({}))
  await expectApply(here, 0)
  await here.manifest(manifestOf({ users: user(onRemove) }))
  await expectApply(here, 0)
  expect(await seenOf('users.sam')).toEqual(OWN)
})

it('a key whose adoption a person calls not done is none by its event', async () => {
  here = await begin({ apiKeys: key() })
  await stopClock('2035-01-06T02:00:00Z')
  await here.control('POST', 'faults', { method: 'PATCH', fault: 'reset-after', count: 1 })
  await expectApply(here, 3)
  await resolve(here, 'apiKeys.reporting', '--not-created')
  await expectApply(here, 0)
  expect(await seenOf('apiKeys.reporting')).toEqual(OWN)
})

it('somebody else who writes to it then is told all the same', async () => {
  here = await beginApplied({ apiKeys: key() })
  expect(await here.run('state', 'forget', 'apiKeys.reporting')).toMatchObject({ code: 0 })
  await expectApply(here, 0)
  await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'theirs' })
  expect(await driftOf(here, 'apiKeys.reporting')).toMatchObject({ code: 2, verdict: 'drifted' })
})

it('what was written to it is kept for as long as a request takes, and no longer', async () => {
  here = await begin({ apiKeys: key(), people: [sam(org('ORG_READ_ONLY'))] })
  await stopClock('2035-01-06T02:00:00Z')
  await expectApply(here, 0)
  expect(await here.run('state', 'forget', 'apiKeys.reporting')).toMatchObject({ code: 0 })
  expect((await here.state()).unrecorded).toMatchObject([
    { kind: 'api_key', identity: { apiKeyId: REPORTER }, lastWrite: { sent: [['desc'], ['roles']] } },
  ])
  await stopClock('2035-01-06T02:03:00Z')
  await here.manifest(manifestOf({ users: user('forget') }))
  await expectApply(here, 0)
  expect((await here.state()).unrecorded).toBeUndefined()
})
