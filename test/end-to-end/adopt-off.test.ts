import { describe, expect, it } from 'vitest'
import { adopting } from '../support/adopting.ts'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import { unwrapped } from '../support/comments.ts'
import { begin, only, type Scene } from '../support/scene.ts'

let here: Scene
const { adopt, planOf, textOf } = adopting(() => here)

const threshold = (metricName: string): object => ({
  metricName,
  mode: 'AVERAGE',
  operator: 'GREATER_THAN',
  threshold: 100,
  units: 'RAW',
})
const off = (id: string, eventTypeName: string, more = {}) => ({
  id,
  eventTypeName,
  enabled: false,
  notifications: [{ typeName: 'GROUP' }],
  ...more,
})

describe('what is off', () => {
  const NEW_METRIC = {
    id: '5d1113b25a115342acc2d0f9',
    eventTypeName: 'OUTSIDE_METRIC_THRESHOLD',
    enabled: true,
    metricThreshold: threshold('OPCOUNTER_CMD'),
    notifications: [{ typeName: 'GROUP' }],
  }
  it('stands there by its id: what is added later stays as it is', async () => {
    const metric = off('5d1113b25a115342acc2d0f1', NEW_METRIC.eventTypeName, {
      metricThreshold: threshold('CONNECTIONS'),
    })
    here = await begin({
      fixture: fixtureWith({ alertConfigs: [metric], integrations: [] }),
      manifest: only('users', ''),
    })
    await adopt('--state', 'deploymgmt.state.json')
    expect(await textOf()).toContain(
      'connections: { projectId: payments, alertConfigId: 5d1113b25a115342acc2d0f1, allowEmpty: true, enabled: false }',
    )
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [metric, NEW_METRIC])
    expect((await planOf()).summary).toMatchObject({ unchanged: 1, update: 0, adopt: 0 })
  })

  it('says who has turned it off, also where another turned it on within the same second', async () => {
    const config = off('5d1113b25a115342acc2d0f1', 'HOST_DOWN')
    const about = { orgId: ORG, groupId: PROJECT, alertConfigId: config.id, created: '2026-09-01T00:00:00Z' }
    // In the order of the service: newest first.
    const events = [
      {
        ...about,
        id: '5dc9f1a2b3c4d5e6f7081902',
        username: 'dana@example.com',
        eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
      },
      {
        ...about,
        id: '5dc9f1a2b3c4d5e6f7081901',
        username: 'sam@example.com',
        eventTypeName: 'ALERT_CONFIG_ENABLED_AUDIT',
      },
    ]
    here = await begin({
      fixture: fixtureWith({ alertConfigs: [config], integrations: [], events }),
      manifest: only('users', ''),
    })
    await adopt()
    expect(unwrapped(await textOf())).toContain(
      '# HOST_DOWN; off; turned off by ALERT_CONFIG_DISABLED_AUDIT by user dana@example.com, ',
    )
  })

  it('says who has turned it off, also where something else was changed since', async () => {
    const config = off('5d1113b25a115342acc2d0f1', 'HOST_DOWN')
    const about = { orgId: ORG, groupId: PROJECT, alertConfigId: config.id, username: 'dana@example.com' }
    here = await begin({
      fixture: fixtureWith({
        alertConfigs: [config],
        integrations: [],
        events: [
          {
            ...about,
            id: '5dc9f1a2b3c4d5e6f7081901',
            created: '2026-09-01T00:00:00Z',
            eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
          },
          {
            ...about,
            id: '5dc9f1a2b3c4d5e6f7081902',
            created: '2026-09-02T00:00:00Z',
            eventTypeName: 'ALERT_CONFIG_CHANGED_AUDIT',
          },
        ],
      }),
      manifest: only('users', ''),
    })
    await adopt()
    expect(unwrapped(await textOf())).toContain(
      '# HOST_DOWN; off; turned off by ALERT_CONFIG_DISABLED_AUDIT by user dana@example.com, 2026-09-01 00:00:00 UTC, event 5dc9f1a2b3c4d5e6f7081901',
    )
  })
})
