import { describe, expect, it } from 'vitest'
import { links } from '../../../provider/data-sources/shapes/links.ts'
import organizationEvents from '../../../provider/data-sources/organization-events.ts'
import { renderSilences } from '../../../reconciler/render/terminal/silences-text.ts'
import { renderRead } from '../../../reconciler/render/terminal/table-text.ts'
import { PROJECT, style } from './support/documents.ts'
import { longest, text } from './support/text.ts'

const alert = (index: number) => ({
  id: `5d1113b25a115342acc2d0f${index}`,
  projectId: PROJECT,
  created: `2026-11-18T09:1${index}:00Z`,
  status: index === 0 ? 'CLOSED' : 'OPEN',
  eventTypeName: 'HOST_DOWN',
  hostnameAndPort: `db${index}.production.payments.example.com:27017`,
  links: [{ href: 'https://opsmgr.example.com', rel: 'self' }],
})
const alerts = [alert(0), alert(1), alert(2)]

/** An event of the only project. */
const done = (index: number, about: object) => ({
  id: `6b0b10718cd3546ed95dbac${index}`,
  created: `2026-11-18T09:1${index}:00Z`,
  orgId: '5980cfdf0b6d97029d82f86e',
  projectId: PROJECT,
  remoteAddress: '192.0.2.8',
  ...about,
})

const silence = (index: number) => ({
  id: `6b0ba878a8442a95714b480${index}`,
  name: `silence-${index}`,
  projectId: PROJECT,
  project: 'payments',
  alertTypeNames: ['HOST', 'REPLICA_SET', 'AGENT'].slice(index),
  startDate: '2026-11-29T04:21:47Z',
  endDate: `2026-11-29T06:21:4${index}Z`,
  reason: 'Storage migration of the payments shards',
  status: 'open' as const,
})

describe('a list that was read', () => {
  it('is an aligned table, says once what is the same, and how much there is besides', () => {
    expect(
      renderRead({ name: 'alerts', document: { results: alerts, totalCount: 120 } }, style({ width: 120 })),
    ).toBe(text`
alerts · 3 of 120

in all rows: projectId 5c8100bcf2a30b12ff88258f, eventTypeName HOST_DOWN
id                        created               status  hostnameAndPort
5d1113b25a115342acc2d0f0  2026-11-18 09:10 UTC  CLOSED  db0.production.payments.example.com:27017
5d1113b25a115342acc2d0f1  2026-11-18 09:11 UTC  OPEN    db1.production.payments.example.com:27017
5d1113b25a115342acc2d0f2  2026-11-18 09:12 UTC  OPEN    db2.production.payments.example.com:27017`)
  })

  it.each([60, 80, 120])('fits %i columns, and keeps ids whole', (width) => {
    const shown = renderRead(
      { name: 'alerts', document: { results: alerts, totalCount: 3 } },
      style({ width }),
    )
    expect(longest(shown)).toBeLessThanOrEqual(width)
    expect(shown).toContain('5d1113b25a115342acc2d0f2 ')
    expect(shown.split('\n')[0]).toBe('alerts · 3')
  })

  it('says which columns have no room, and what shows them', () => {
    const read = { name: 'alerts', document: { results: alerts, totalCount: 3 } }
    expect(renderRead(read, style({ width: 60 }))).toMatch(/\nleft out: created; --format json shows all$/)
    expect(renderRead(read, style({ width: 120 }))).not.toContain('left out')
  })

  it('says which fields no table can show, except links', () => {
    const results = [0, 1].map((index) => ({
      id: `5d1113b25a115342acc2d0f${index}`,
      metricThreshold: { metricName: 'CONNECTIONS', threshold: index },
      matchers: [],
      notifications: [{ typeName: 'GROUP' }],
      links: [{ rel: 'self', href: 'http://127.0.0.1/' }],
    }))
    const read = { name: 'alert_configurations', document: { results, totalCount: 2 } }
    expect(renderRead(read, style())).toMatch(
      /\nleft out: metricThreshold, notifications; --format json shows all$/,
    )
  })

  it('keeps ids whole within a text, and cuts what is behind them', () => {
    const results = [0, 1].map((index) => ({
      what: `somebody-with-a-long-name: 5d1113b25a115342acc2d0f${index} and much more than there is room for`,
      other: `${'x'.repeat(40)}${index}`,
    }))
    const shown = renderRead({ name: 'events', document: { results, totalCount: 2 } }, style({ width: 92 }))
    expect(shown).toContain('5d1113b25a115342acc2d0f1')
    expect(longest(shown)).toBeLessThanOrEqual(92)
  })

  it('of events says when what was done to what, and by whom, before any id', () => {
    const results = [
      done(1, {
        eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
        publicKey: 'oncall',
        alertConfigId: '5d1113b25a115342acc2d1aa',
      }),
      done(0, { eventTypeName: 'INVITED_TO_ORG', username: 'sam@example.com', targetUsername: 'dana' }),
    ]
    const reading = { document: { results, totalCount: 2 }, name: 'organization_events' }
    const { columns } = organizationEvents
    expect(renderRead({ ...reading, ...(columns && { columns }) }, style({ width: 110 }))).toBe(text`
organization_events · 2

in all rows: projectId 5c8100bcf2a30b12ff88258f, remoteAddress 192.0.2.8
created               eventTypeName                about                     by
2026-11-18 09:11 UTC  ALERT_CONFIG_DISABLED_AUDIT  5d1113b25a115342acc2d1aa  oncall
2026-11-18 09:10 UTC  INVITED_TO_ORG               dana                      sam@example.com
left out: id; --format json shows all`)
  })

  it('cuts the beginning of a constant, because its end says what was done', () => {
    const results = ['ADDED', 'CHANGED'].map((act, index) => ({
      created: `2026-11-18T09:1${index}:01Z`,
      eventTypeName: `MAINTENANCE_WINDOW_${act}_AUDIT`,
      about: `5d1113b25a115342acc2d0f${index}`,
      by: `oncall${index}`,
    }))
    const shown = renderRead({ name: 'events', document: { results, totalCount: 2 } }, style({ width: 80 }))
    expect(shown).toMatch(/ {2}…[A-Z_]*_WINDOW_ADDED_AUDIT {2}/)
    expect(shown).toMatch(/ {2}…[A-Z_]*_CHANGED_AUDIT {2}/)
    expect(longest(shown)).toBeLessThanOrEqual(80)
  })

  it('leaves out a column rather than cutting a constant for it, and tells times equally precisely', () => {
    const results = ['00', '17'].map((second, index) => ({
      created: `2026-11-18T09:1${index}:${second}Z`,
      eventTypeName: `MAINTENANCE_WINDOW_${index === 0 ? 'ADDED' : 'CHANGED'}_AUDIT`,
      about: `5d1113b25a115342acc2d0f${index}`,
      by: `oncall${index}`,
      id: `5dc9113b25a115342acc2d0${index}`,
    }))
    const shown = renderRead(
      { name: 'events', document: { results, totalCount: 2 }, columns: (item) => item },
      style({ width: 100 }),
    )
    expect(shown).toContain(
      '2026-11-18 09:10:00 UTC  MAINTENANCE_WINDOW_ADDED_AUDIT    5d1113b25a115342acc2d0f0  oncall0\n',
    )
    expect(shown).toContain('left out: id;')
  })

  it.each([60, 80])('of silences says at %i columns until when, before all else but the id', (width) => {
    const document = { formatVersion: 1 as const, silences: [silence(0), silence(1)] }
    const shown = renderSilences({ document }, style({ width }))
    expect(shown).toMatch(/^6b0ba878a8442a95714b4801 {2}2026-11-29 06:21:41 UTC\b/m)
    expect(longest(shown)).toBeLessThanOrEqual(width)
  })

  it('says that it is empty', () => {
    expect(renderRead({ name: 'alerts', document: { results: [], totalCount: 0 } }, style())).toBe(
      'alerts · none',
    )
  })

  it('leaves cells empty where an item has no such field', () => {
    const results = [
      { type: 'PAGING', serviceKey: '****' },
      { type: 'CHAT_A', teamName: 'ops', channelName: '' },
    ]
    expect(renderRead({ name: 'integrations', document: { results, totalCount: 2 } }, style())).toBe(text`
integrations · 2

type    serviceKey  teamName
PAGING  ****
CHAT_A              ops`)
  })
})

describe('one thing that was read', () => {
  it('is its fields, texts of several lines as they are meant, and lists of things as tables', () => {
    const thing = {
      goalVersion: 29,
      humanReadable: 'Host is down\nsince ever',
      tags: [],
      processes: [
        { name: 'shard_0', lastGoalVersionAchieved: 28, plan: ['Download', 'Start'] },
        { name: 'shard_1', lastGoalVersionAchieved: 29, plan: [] },
      ],
    }
    expect(renderRead({ name: 'automation_status', document: thing }, style())).toBe(text`
automation_status

goalVersion    29
humanReadable  Host is down
               since ever
tags           (empty)

processes (2)
  name     lastGoalVersionAchieved  plan
  shard_0  28                       Download, Start
  shard_1  29`)
  })

  it('has no links: they are for machines', () => {
    expect(renderRead({ name: 'alert', document: alert(0) }, style())).not.toContain('href')
    const none = renderRead(
      { name: 'alert', document: { ...alert(0), links: [] }, fields: { links } },
      style(),
    )
    expect(none).not.toContain('links')
  })
})
