import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import { watchEvents, type RecordedResource } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { startService } from '@deploymgmt/service'
import { NO_EVENTS } from '../../../provider/engine/read/events.ts'

const SHARED = '5980cfdf0b6d97029d82f86e'
const QUIET = '5980cfdf0b6d97029d82f86f'
const BUSY = '5980cfdf0b6d97029d82f870'
const CI = { publicKey: 'ciadmin', privateKey: '9d2c2a3e-canary-0001' }

const definition = kinds.find(({ kind }) => kind === 'user')!

/** An instant of so many minutes ago. */
const at = (minutes: number): string =>
  `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`

/** A user with roles in these organizations, last written at that time. */
const userOf = (username: string, orgIds: readonly string[], written: string): RecordedResource => ({
  kind: 'user',
  identity: { userId: `5d2e1f0a9b8c7d6e5f4a3b2${username.length}` },
  applied: { username, roles: orgIds.map((orgId) => ({ roleName: 'ORG_MEMBER', orgId })) },
  answer: null,
  adopted: null,
  onRemove: 'forget',
  lastWrite: { from: written, to: written, by: CI.publicKey, sent: [['roles']] },
  watermark: written,
})

it('a look at what two things share hides no event of the organization that only one of them has', async () => {
  const roles = [SHARED, QUIET, BUSY].map((orgId) => ({ roleName: 'ORG_OWNER', orgId }))
  const theirs = {
    id: '6b00c3f15d1113b25a115342',
    eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
    created: at(1),
    publicKey: 'oncall',
    targetUsername: 'pat',
  }
  const service = await startService({
    fixture: {
      organizations: [
        {
          id: SHARED,
          name: 'Shared',
          apiKeys: [{ id: '5c47503320eef5699e1cce8d', desc: 'CI', ...CI, roles }],
        },
        { id: QUIET, name: 'Quiet' },
        { id: BUSY, name: 'Busy', events: [theirs] },
      ],
    },
  })
  const client = createClient({ baseUrl: service.baseUrl, ...CI })
  onTestFinished(async () => {
    await client.close()
    await service.close()
  })
  const planned = {
    log: { ...NO_EVENTS, read: new Set([SHARED, QUIET, BUSY]), readAt: Date.parse(at(2)) },
    declaration: {
      name: 'test',
      entries: [],
      organizations: new Map<string, string>(),
      orgIds: [],
      projectNames: new Map<string, string>(),
    },
  }
  const { eventsSince } = watchEvents(client, planned)
  expect(await eventsSince(definition, userOf('sam', [SHARED, QUIET], at(5)))).toEqual([])
  expect(await eventsSince(definition, userOf('pat', [SHARED, BUSY], at(5)))).toMatchObject([
    { id: theirs.id },
  ])
})
