import { AlertConfiguration, AlertPolicy, type AlertPolicyConfig } from '@deploymgmt/constructs'
import { Testing, TerraformStack, TerraformVariable } from 'cdktf'
import { expect, test } from 'vitest'
import { declared, refusal, warnings } from './support/declared.ts'

const projects = { payments: '5c8100bcf2a30b12ff88258f', search: '5c8100bcf2a30b12ff882590' }
const alerts: AlertPolicyConfig['alerts'] = {
  hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true },
  noisy: {
    select: {
      metricName: 'CONNECTIONS',
      matchers: [{ fieldName: 'HOSTNAME', operator: 'STARTS_WITH', value: 'test' }],
    },
    enabled: false,
    allowEmpty: true,
    onRemove: 'restore',
  },
}
const refused = (config: Partial<AlertPolicyConfig>): string =>
  refusal((stack) => new AlertPolicy(stack, 'alerts', { projects, alerts, ...config }))

test('declares each rule in each project', () => {
  const { text, resources } = declared((stack) => new AlertPolicy(stack, 'alerts', { projects, alerts }))
  expect(Object.keys(resources[AlertConfiguration.tfResourceType] ?? {})).toHaveLength(4)
  for (const project_id of Object.values(projects)) {
    const has = (properties: object): boolean =>
      Testing.toHaveResourceWithProperties(text, AlertConfiguration.tfResourceType, {
        project_id,
        ...properties,
      })
    expect(has({ enabled: true, select: { event_type_name: 'HOST_DOWN' } })).toBe(true)
    expect(
      has({
        enabled: false,
        allow_empty: true,
        on_remove: 'restore',
        select: {
          metric_name: 'CONNECTIONS',
          matchers: [{ field_name: 'HOSTNAME', operator: 'STARTS_WITH', value: 'test' }],
        },
      }),
    ).toBe(true)
  }
})

const idsWith = (enabled: boolean): string[] =>
  Object.keys(
    declared((stack) => {
      const hostDown = { select: { eventTypeName: 'HOST_DOWN' }, enabled }
      return new AlertPolicy(stack, 'alerts', { projects, alerts: { hostDown } })
    }).resources[AlertConfiguration.tfResourceType] ?? {},
  )

test('switching a rule on or off keeps its logical ids', () => {
  expect(idsWith(true)).toEqual(idsWith(false))
})

test('gives its configurations by project and name', () => {
  const policy = new AlertPolicy(new TerraformStack(Testing.app(), 'acme'), 'alerts', { projects, alerts })
  expect(policy.configurations['payments']?.['hostDown']?.node.path).toBe('acme/alerts/payments/hostDown')
})

test('takes ids that are known when Terraform runs', () => {
  const { text } = declared((stack) => {
    const id = new TerraformVariable(stack, 'project', { type: 'string' })
    return new AlertPolicy(stack, 'alerts', { projects: { payments: id.stringValue }, alerts })
  })
  // oxlint-disable-next-line no-template-curly-in-string
  expect(text).toContain('"project_id": "${var.project}"')
})

test.each<[string, Partial<AlertPolicyConfig>, string]>([
  ['no project', { projects: {} }, 'projects: at least one is needed'],
  ['no rule', { alerts: {} }, 'alerts: at least one is needed'],
  ['an id that is none', { projects: { payments: '' } }, 'projects.payments: an id is needed'],
  [
    'one project under two names',
    { projects: { a: projects.search, b: projects.search } },
    'projects.b: is the same as a',
  ],
  ['an id with a backslash', { projects: { payments: 'a\\b' } }, 'projects.payments: "a\\b" is not an id'],
  [
    'an empty event type',
    { alerts: { all: { select: { eventTypeName: '' }, enabled: true } } },
    'alerts.all.select.eventTypeName: the text is empty',
  ],
  [
    'a time without its zone',
    { alerts: { all: { select: { createdBefore: '2026-12-05T02:00:00' }, enabled: true } } },
    'alerts.all.select.createdBefore: "2026-12-05T02:00:00" is not a date and time with its zone',
  ],
  [
    'an empty metric',
    { alerts: { all: { select: { metricName: '' }, enabled: true } } },
    'alerts.all.select.metricName: the text is empty',
  ],
  [
    'an empty selector',
    { alerts: { all: { select: {} as never, enabled: true } } },
    'alerts.all.select: an empty selector would match every configuration',
  ],
  [
    'an empty matcher',
    { alerts: { all: { select: { matchers: [{}] }, enabled: true } } },
    'alerts.all.select.matchers[0]: an empty matcher would match every configuration',
  ],
  [
    'two rules for the same',
    {
      alerts: {
        one: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true },
        two: { select: { eventTypeName: 'HOST_DOWN' }, enabled: false },
      },
    },
    'alerts.two.select: selects the same as alerts.one, and they disagree about enabled',
  ],
  [
    'a narrower rule that disagrees with a wider one',
    {
      alerts: {
        some: { select: { eventTypeName: 'HOST_DOWN', metricName: 'CONNECTIONS' }, enabled: false },
        all: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true },
      },
    },
    'alerts.all.enabled: alerts.all also selects everything that alerts.some selects, and they disagree about enabled',
  ],
  [
    'a way of removal that is none',
    { alerts: { one: { select: { metricName: 'CONNECTIONS' }, enabled: true, onRemove: 'end' as never } } },
    'alerts.one.onRemove: "end" is not a valid way of removal; allowed: forget, restore',
  ],
])('refuses %s', (_, config, message) => {
  expect(refused(config)).toContain(`acme/alerts: ${message}`)
})

test('does not compare whether alerts are on before Terraform knows it', () => {
  const { text } = declared((stack) => {
    const on = new TerraformVariable(stack, 'on', { type: 'bool' }).booleanValue
    const some = { select: { eventTypeName: 'HOST_DOWN', metricName: 'CONNECTIONS' }, enabled: true }
    const all = { select: { eventTypeName: 'HOST_DOWN' }, enabled: on, allowEmpty: on }
    return new AlertPolicy(stack, 'alerts', { projects, alerts: { some, all } })
  })
  // oxlint-disable-next-line no-template-curly-in-string
  expect(text).toContain('"enabled": "${var.on}"')
})

test('takes an event type that is not known, with a warning', () => {
  const found = warnings(
    (stack) =>
      new AlertPolicy(stack, 'alerts', {
        projects,
        alerts: { down: { select: { eventTypeName: 'HOST_DWN' }, enabled: true } },
      }),
  )
  expect(found).toEqual([
    'acme/alerts: alerts.down.select.eventTypeName: "HOST_DWN" is not a known event type; did you mean HOST_DOWN?',
  ])
})
