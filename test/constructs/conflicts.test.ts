import {
  AlertConfiguration,
  AlertPolicy,
  DeploymgmtProvider,
  Integration,
  IntegrationGuard,
  ProjectBaseline,
  TeamRoles,
  User,
} from '@deploymgmt/constructs'
import { Aspects, Testing, TerraformStack, TerraformVariable } from 'cdktf'
import { describe, expect, test } from 'vitest'
import { invalid, warnings } from './support/declared.ts'

const projectId = '5c8100bcf2a30b12ff88258f'
const projects = { payments: projectId }
const sam = { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true } as const
const acme = '5980cfdf0b6d97029d82f86e'
const hostDown = (enabled: boolean) => ({
  hostDown: { select: { eventTypeName: 'HOST_DOWN' as const }, enabled },
})

describe('two declarations that contradict each other are refused at synthesis', () => {
  test.each<[string, (stack: TerraformStack) => unknown, string]>([
    [
      'an integration that must be there and must not',
      (stack) => {
        new ProjectBaseline(stack, 'baseline', {
          projectId,
          baseline: { integrations: { present: ['PAGING'] } },
        })
        new IntegrationGuard(stack, 'guard', { projects, absent: ['PAGING'] })
      },
      'acme/guard/payments/PAGING and acme/baseline/integrations/project/PAGING contradict each other: PAGING of project 5c8100bcf2a30b12ff88258f must be absent by the one and present by the other',
    ],
    [
      'an integration declared twice, once by its resource',
      (stack) => {
        new IntegrationGuard(stack, 'guard', { projects, present: ['PAGING'] })
        new Integration(stack, 'paging', { projectId, type: 'PAGING' })
      },
      'acme/paging and acme/guard/payments/PAGING declare the same: PAGING of project 5c8100bcf2a30b12ff88258f',
    ],
    [
      'an integration declared twice, once as a variable of Terraform says',
      (stack) => {
        const ensure = new TerraformVariable(stack, 'ensure', { type: 'string' }).stringValue
        new IntegrationGuard(stack, 'guard', { projects, present: ['PAGING'] })
        new Integration(stack, 'paging', { projectId, type: 'PAGING', ensure })
      },
      'acme/paging and acme/guard/payments/PAGING declare the same: PAGING of project 5c8100bcf2a30b12ff88258f',
    ],
    [
      'an integration that must be there and is not among only',
      (stack) => {
        new IntegrationGuard(stack, 'one', { projects, present: ['PAGING'] })
        new IntegrationGuard(stack, 'two', { projects, only: ['WEBHOOK'] })
      },
      'acme/two/payments/only and acme/one/payments/PAGING contradict each other: PAGING of project 5c8100bcf2a30b12ff88258f must be present, but is not among only',
    ],
    [
      'an integration that must be there and is not among only, which was there before',
      (stack) => {
        new IntegrationGuard(stack, 'one', { projects, only: ['WEBHOOK'] })
        new IntegrationGuard(stack, 'two', { projects, present: ['PAGING'] })
      },
      'acme/two/payments/PAGING and acme/one/payments/only contradict each other: PAGING of project 5c8100bcf2a30b12ff88258f must be present, but is not among only',
    ],
    [
      'two lists of what may be there',
      (stack) => {
        new IntegrationGuard(stack, 'one', { projects, only: ['PAGING', 'WEBHOOK'] })
        new IntegrationGuard(stack, 'two', { projects, only: ['PAGING'] })
      },
      'WEBHOOK may be there by one only of project 5c8100bcf2a30b12ff88258f, and not by the other',
    ],
    [
      'an alert that is on and off',
      (stack) => {
        new ProjectBaseline(stack, 'baseline', { projectId, baseline: { alerts: hostDown(true) } })
        new AlertPolicy(stack, 'alerts', { projects, alerts: hostDown(false) })
      },
      'acme/alerts/payments/hostDown and acme/baseline/alerts/project/hostDown contradict each other: they select the same configurations of project 5c8100bcf2a30b12ff88258f, and disagree about enabled',
    ],
    [
      'a narrower selector that disagrees with a wider one',
      (stack) => {
        new AlertPolicy(stack, 'alerts', { projects, alerts: hostDown(true) })
        new AlertConfiguration(stack, 'own', {
          projectId,
          select: { eventTypeName: 'HOST_DOWN', matchers: [{ fieldName: 'HOSTNAME', value: 'db1' }] },
          enabled: false,
        })
      },
      'acme/alerts/payments/hostDown also selects everything that acme/own selects, and they disagree about enabled',
    ],
    [
      'one configuration twice',
      (stack) => {
        for (const id of ['one', 'two'])
          new AlertConfiguration(stack, id, {
            projectId,
            alertConfigId: '5d1113b25a115342acc2d0f1',
            enabled: true,
          })
      },
      'acme/two and acme/one declare the same: configuration 5d1113b25a115342acc2d0f1',
    ],
    [
      'one person by a table and by a resource',
      (stack) => {
        new TeamRoles(stack, 'team', {
          organizations: { acme },
          users: { sam },
          roles: { sam: { acme: ['ORG_OWNER'] } },
        })
        new User(stack, 'sam', { ...sam, roles: [] })
      },
      'acme/sam and acme/team/sam declare the same: user 5d2e1f0a9b8c7d6e5f4a3b2c; a user has one list of roles',
    ],
  ])('%s', (_, declare, message) => {
    expect(invalid(declare)).toContain(message)
  })

  test('across the stacks of an app, before the stack is written', () => {
    const app = Testing.app()
    const [one, two] = ['one', 'two'].map((id) => new TerraformStack(app, id))
    if (one === undefined || two === undefined) throw new Error('two stacks were made')
    for (const stack of [one, two]) new DeploymgmtProvider(stack, 'deploymgmt')
    new IntegrationGuard(one, 'guard', { projects, present: ['PAGING'] })
    new IntegrationGuard(two, 'guard', { projects, absent: ['PAGING'] })
    expect(() => {
      app.synth()
    }).toThrow('two/guard/payments/PAGING and one/guard/payments/PAGING contradict each other')
  })
})

test.each<[string, (stack: TerraformStack) => unknown]>([
  [
    'different projects',
    (stack) => {
      new IntegrationGuard(stack, 'one', { projects, present: ['PAGING'] })
      new IntegrationGuard(stack, 'two', {
        projects: { search: '5c8100bcf2a30b12ff882590' },
        absent: ['PAGING'],
      })
    },
  ],
  [
    'ids that are known when Terraform runs',
    (stack) => {
      const id = new TerraformVariable(stack, 'project', { type: 'string' }).stringValue
      new IntegrationGuard(stack, 'one', { projects: { a: id }, present: ['PAGING'] })
      new IntegrationGuard(stack, 'two', { projects: { a: id }, absent: ['PAGING'] })
    },
  ],
  [
    'a narrower selector that agrees',
    (stack) => {
      new AlertPolicy(stack, 'one', { projects, alerts: hostDown(true) })
      new AlertConfiguration(stack, 'two', {
        projectId,
        select: { eventTypeName: 'HOST_DOWN', metricName: 'CONNECTIONS' },
        enabled: true,
      })
    },
  ],
  ...Object.entries({
    metricName: 'CONNECTIONS',
    createdBefore: '2026-03-03T00:00:00Z',
    matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: 'db1' }],
  }).map(([name, value]): [string, (stack: TerraformStack) => unknown] => [
    `selectors that each have a condition of their own, one of them ${name}`,
    (stack) => {
      const event = { eventTypeName: 'HOST_DOWN' }
      const other = { matchers: [{ fieldName: 'HOSTNAME', operator: 'NOT_EQUALS', value: 'db1' }] }
      new AlertConfiguration(stack, 'one', { projectId, select: { ...event, [name]: value }, enabled: true })
      new AlertConfiguration(stack, 'two', { projectId, select: { ...event, ...other }, enabled: false })
    },
  ]),
  [
    'selectors whose matchers are known when Terraform runs',
    (stack) => {
      const matchers = new TerraformVariable(stack, 'matchers', {}).listValue as never
      const known = [{ fieldName: 'HOSTNAME', value: 'db1' }]
      new AlertConfiguration(stack, 'one', { projectId, select: { matchers: known }, enabled: true })
      new AlertConfiguration(stack, 'two', { projectId, select: { matchers }, enabled: false })
    },
  ],
  [
    'an integration that must not be there and is not among only',
    (stack) => {
      new IntegrationGuard(stack, 'one', { projects, absent: ['PAGING'] })
      new IntegrationGuard(stack, 'two', { projects, only: ['WEBHOOK'] })
    },
  ],
  [
    'an integration that must be there and a list with a type that is known when Terraform runs',
    (stack) => {
      const { stringValue } = new TerraformVariable(stack, 'type', { type: 'string' })
      new IntegrationGuard(stack, 'one', { projects, present: ['PAGING'] })
      new Integration(stack, 'two', { projectId, only: ['WEBHOOK', stringValue] })
    },
  ],
  [
    'installations at different addresses',
    (stack) => {
      const at = (baseUrl: string, alias: string) =>
        new DeploymgmtProvider(stack, alias, { alias, baseUrl: `https://${baseUrl}/api/public/v1.0` })
      const [a, b] = [at('a.example.com', 'a'), at('b.example.com', 'b')]
      new IntegrationGuard(stack, 'one', { projects, present: ['PAGING'], provider: a })
      new IntegrationGuard(stack, 'two', { projects, absent: ['PAGING'], provider: b })
      const table = {
        organizations: { acme },
        users: { sam },
        roles: { sam: { acme: ['ORG_OWNER'] } },
      } as const
      new TeamRoles(stack, 'team-a', { ...table, provider: a })
      new TeamRoles(stack, 'team-b', { ...table, provider: b })
    },
  ],
])('declarations that can both hold are accepted: %s', (_, declare) => {
  expect(invalid(declare)).toBe('')
})

/** The warnings about a policy that turns alerts on, and an id beside it. */
const besidePolicy = (enabled: boolean): string[] =>
  warnings((stack) => {
    new AlertPolicy(stack, 'alerts', { projects, alerts: hostDown(true) })
    new AlertConfiguration(stack, 'one', { projectId, alertConfigId: '5d1113b25a115342acc2d0f1', enabled })
  })

test('an id beside a selector that disagrees is a warning: whether they meet is seen at the service', () => {
  expect(besidePolicy(true)).toEqual([])
  expect(besidePolicy(false)).toEqual([
    'acme/one: names configuration 5d1113b25a115342acc2d0f1 by its id, and acme/alerts/payments/hostDown selects in the same project and disagrees about enabled; if it selects this one, Terraform switches it back and forth with every apply',
  ])
})

test('each stack is compared where it meets others, not the whole app once per stack', () => {
  let comparisons = 0
  class Counting extends AlertConfiguration {
    override get selectInput() {
      comparisons += 1
      return super.selectInput
    }
  }
  const comparisonsIn = (count: number): number => {
    const app = Testing.app()
    for (let n = 0; n < count; n += 1) {
      const stack = new TerraformStack(app, `stack-${n}`)
      new DeploymgmtProvider(stack, 'deploymgmt')
      new IntegrationGuard(stack, 'guard', { projects: { own: `${n}` }, present: ['PAGING'] })
      for (const eventTypeName of ['HOST_DOWN', 'HOST_UP'])
        new Counting(stack, eventTypeName, { projectId: `${n}`, select: { eventTypeName }, enabled: true })
    }
    comparisons = 0
    app.synth()
    return comparisons
  }
  expect(comparisonsIn(10)).toBe(10 * comparisonsIn(1))
})

test('a conflict that an aspect of a later stack brings about is found', () => {
  const app = Testing.app()
  const [one, two] = ['one', 'two'].map((id) => new TerraformStack(app, id))
  if (one === undefined || two === undefined) throw new Error('two stacks were made')
  for (const stack of [one, two]) new DeploymgmtProvider(stack, 'deploymgmt')
  new AlertPolicy(one, 'alerts', { projects, alerts: hostDown(true) })
  new AlertPolicy(two, 'alerts', {
    projects,
    alerts: { down: { select: { eventTypeName: 'HOST_DOWN', metricName: 'CONNECTIONS' }, enabled: true } },
  })
  Aspects.of(two).add({
    visit: (node) => {
      if (node instanceof AlertConfiguration) node.enabled = false
    },
  })
  expect(() => {
    app.synth()
  }).toThrow('they disagree about enabled')
})
