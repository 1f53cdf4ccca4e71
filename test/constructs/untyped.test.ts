import {
  AlertPolicy,
  Integration,
  IntegrationGuard,
  MaintenanceWindow,
  ProjectBaseline,
  RecurringMaintenanceWindow,
  TeamRoles,
} from '@deploymgmt/constructs'
import { TerraformVariable, type TerraformStack } from 'cdktf'
import type { Construct } from 'constructs'
import { describe, expect, test } from 'vitest'
import { declared, invalid, refusal, warnings } from './support/declared.ts'

const projectId = '5c8100bcf2a30b12ff88258f'
const projects = { payments: projectId }
const alerts = { hostDown: { select: { eventTypeName: 'HOST_DOWN' }, enabled: true } }
const rule = {
  alertTypeNames: ['HOST'],
  rrule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=4',
  timezone: 'Europe/Madrid',
  duration: 'PT2H',
  from: '2026-03-15',
  until: '2026-03-30',
}
const sam = { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', rolesComplete: true }
const roles = { users: { sam }, roles: { sam: { payments: ['GROUP_OWNER'] } }, projects }
const baseline = { alerts, windows: { patching: rule }, integrations: { present: ['PAGING'] } }

/** A construct as seen by callers without types, who can pass anything. */
type Untyped = new (scope: Construct, id: string, config: unknown) => Construct
const classes = {
  window: { of: RecurringMaintenanceWindow as Untyped, right: { projectId, ...rule } },
  alerts: { of: AlertPolicy as Untyped, right: { projects, alerts } },
  guard: { of: IntegrationGuard as Untyped, right: { projects, present: ['PAGING'] } },
  team: { of: TeamRoles as Untyped, right: roles },
  baseline: { of: ProjectBaseline as Untyped, right: { projectId, baseline } },
} as const
type Name = keyof typeof classes
const refused = (name: Name, changes: object): string =>
  refusal((stack) => new classes[name].of(stack, name, { ...classes[name].right, ...changes }))

test.each(Object.keys(classes) as Name[])('a missing configuration of %s is told with its path', (name) => {
  expect(refusal((stack) => new classes[name].of(stack, name, undefined))).toBe(
    `acme/${name}: config: is needed`,
  )
})

test.each<[Name, object, string]>([
  ['window', { rrule: undefined }, 'rrule: is needed'],
  ['window', { timezone: undefined }, 'timezone: is needed'],
  ['window', { alertTypeNames: undefined }, 'alertTypeNames: is needed'],
  ['window', { alertTypeNames: 'HOST' }, 'alertTypeNames: has to be a list, but is the text "HOST"'],
  ['window', { duration: 2 }, 'duration: has to be a text, but is a number'],
  [
    'window',
    { onRemove: 'delete' },
    'onRemove: "delete" is not a valid way of removal; allowed: end, forget',
  ],
  ['window', { horizon: 'P30D' }, 'horizon: there is no such property'],
  ['alerts', { projects: undefined }, 'projects: is needed'],
  ['alerts', { alerts: { down: { enabled: true } } }, 'alerts.down.select: is needed'],
  ['alerts', { alerts: { down: { select: { metricName: 'X' } } } }, 'alerts.down.enabled: is needed'],
  [
    'alerts',
    { alerts: { down: { ...alerts.hostDown, enabled: 'yes' } } },
    'alerts.down.enabled: has to be true or false, but is the text "yes"',
  ],
  [
    'alerts',
    { alerts: { down: { ...alerts.hostDown, onRemoved: 'forget' } } },
    'alerts.down.onRemoved: there is no such property; did you mean onRemove?',
  ],
  [
    'alerts',
    { alerts: { down: { select: { eventTypName: 'HOST_DOWN' }, enabled: true } } },
    'alerts.down.select.eventTypName: there is no such property; did you mean eventTypeName?',
  ],
  ['alerts', { alerts: { down: null } }, 'alerts.down: has to be an object, but is null'],
  ['guard', { present: 'PAGING' }, 'present: has to be a list, but is the text "PAGING"'],
  ['guard', { presnt: ['PAGING'] }, 'presnt: there is no such property; did you mean present?'],
  ['guard', { absent: [undefined] }, 'absent[0]: cannot be undefined'],
  ['team', { users: undefined }, 'users: is needed'],
  ['team', { users: { sam: undefined } }, 'users.sam: is needed'],
  ['team', { roles: { sam: { payments: 'GROUP_OWNER' } } }, 'roles.sam.payments: has to be a list'],
  ['team', { users: { sam: { ...sam, pasword: 'x' } } }, 'users.sam.pasword: there is no such property'],
  ['baseline', { baseline: undefined }, 'baseline: is needed'],
  [
    'baseline',
    { baseline: { ...baseline, alertz: {} } },
    'baseline.alertz: there is no such property; did you mean alerts?',
  ],
  [
    'baseline',
    { overrides: { alertz: {} } },
    'overrides.alertz: there is no such property; did you mean alerts?',
  ],
  [
    'baseline',
    { overrides: { windows: { patching: { timezone: undefined } } } },
    'overrides.windows.patching.timezone: is undefined: omit it, or give a value',
  ],
  [
    'baseline',
    { overrides: { alerts: { hostDown: { enabled: undefined } } } },
    'overrides.alerts.hostDown.enabled: is undefined: omit it, or give a value',
  ],
  [
    'baseline',
    { overrides: { alerts: { hostDown: { onRemoved: 'forget' } } } },
    'overrides.alerts.hostDown.onRemoved: there is no such property; did you mean onRemove?',
  ],
  [
    'baseline',
    { baseline: { windows: { patching: { ...rule, onRemoved: 'end' } } } },
    'baseline.windows.patching.onRemoved: there is no such property; did you mean onRemove?',
  ],
  ['baseline', { team: { users: { sam } } }, 'team.roles: is needed'],
])(
  'a value of the wrong type is reported with the path and the property: %s %j',
  (name, changes, message) => {
    expect(refused(name, changes)).toContain(message)
    expect(refused(name, changes)).toMatch(new RegExp(`^acme/${name}: `))
  },
)

const lists = (stack: TerraformStack): string[] =>
  new TerraformVariable(stack, 'types', { type: 'list(string)' }).listValue
const textOf = (stack: TerraformStack): string =>
  new TerraformVariable(stack, 'text', { type: 'string' }).stringValue

const declareLists = (stack: TerraformStack): void => {
  const types = lists(stack)
  new IntegrationGuard(stack, 'guard', { projects, absent: ['CHAT_A'], only: types as never })
  new RecurringMaintenanceWindow(stack, 'window', { projectId, ...rule, alertTypeNames: types })
}

describe('variables', () => {
  test.each<[string, Name, (stack: TerraformStack) => object]>([
    ['rrule', 'window', (stack) => ({ rrule: textOf(stack) })],
    ['timezone', 'window', (stack) => ({ timezone: textOf(stack) })],
    ['from', 'window', (stack) => ({ from: textOf(stack) })],
    ['present', 'guard', (stack) => ({ present: lists(stack) })],
    ['present[0]', 'guard', (stack) => ({ present: [textOf(stack)] })],
    ['absent', 'guard', (stack) => ({ absent: lists(stack) })],
    ['roles.sam.payments', 'team', (stack) => ({ roles: { sam: { payments: lists(stack) } } })],
  ])('%s has to be known at synthesis', (property, name, changesIn) => {
    const message = refusal(
      (stack) => new classes[name].of(stack, name, { ...classes[name].right, ...changesIn(stack) }),
    )
    expect(message).toContain(`acme/${name}: ${property}: has to be known at synthesis`)
    expect(message).not.toContain('TfToken')
  })

  test('lists that only Terraform reads may be variables, and are not judged', () => {
    const { resources } = declared(declareLists)
    const valuesOf = (type: string) => Object.values(resources[type] ?? {})
    // oxlint-disable-next-line no-template-curly-in-string
    expect(valuesOf(Integration.tfResourceType)).toContainEqual(
      expect.objectContaining({ only: '${var.types}' }),
    )
    expect(valuesOf(MaintenanceWindow.tfResourceType)[0]).toMatchObject({
      // oxlint-disable-next-line no-template-curly-in-string
      alert_type_names: '${var.types}',
    })
    expect(warnings(declareLists)).toEqual([])
    expect(invalid(declareLists)).toBe('')
  })
})

describe('names that every object has', () => {
  test.each<[string, object, string]>([
    [
      'a role of another scope in such a column',
      { projects: { valueOf: projectId }, roles: { sam: { valueOf: ['ORG_OWNER'] } } },
      'roles.sam.valueOf[0]: "ORG_OWNER" is not a valid project role',
    ],
    [
      'a column that is not there',
      { roles: { sam: { toString: ['GROUP_OWNER'] } } },
      'roles.sam.toString: names no organization and no project',
    ],
    [
      'a row of somebody who is not there',
      { roles: { sam: { payments: ['GROUP_OWNER'] }, constructor: { payments: ['GROUP_OWNER'] } } },
      'roles.constructor: is not in users',
    ],
    ['a user of such a name', { users: { constructor: sam } }, 'users: "constructor" cannot be a name here'],
  ])('%s is refused', (_, changes, message) => {
    expect(refused('team', changes)).toContain(message)
  })

  test('are names of columns like any other', () => {
    const { text } = declared((stack) => {
      new TeamRoles(stack, 'team', {
        projects: { constructor: projectId },
        users: { sam: { userId: sam.userId, rolesComplete: true } },
        roles: { sam: { constructor: ['GROUP_OWNER'] } },
      })
    })
    expect(text).toContain('"role_name": "GROUP_OWNER"')
  })

  test('that cannot be ids of constructs are refused', () => {
    expect(refused('guard', { projects: { constructor: projectId } })).toContain(
      'projects: "constructor" cannot be',
    )
    expect(refused('alerts', { alerts: { toString: alerts.hostDown } })).toContain(
      'alerts: "toString" cannot be',
    )
    expect(refused('baseline', { overrides: { windows: { constructor: null } } })).toContain(
      'overrides.windows.constructor: the baseline has no "constructor"',
    )
  })
})
