import { defineKind, everything, forget, named } from '../core/definition.ts'
import { oneOrSelected } from '../core/expansion.ts'
import { boolean, commonly, element, id, instant, object, set, string } from '../core/field.ts'
import { parseInstant } from '../core/instant.ts'
import { get, getList, none, patch } from '../core/operation.ts'
import type { Finding } from '../core/rule.ts'
import { pickBy, textOf, spaced, type Values } from '../core/values.ts'
import { EVENT_TYPES, METRIC_NAMES } from '../vocabulary.ts'

export default defineKind({
  kind: 'alert_configuration',
  section: 'alertConfigurations',
  title: 'Alert configuration',
  summary: 'Turns existing alert configurations of a project on or off.',
  identity: named(['projectId'], 'alertConfigId'),
  fields: {
    projectId: id('Project that owns the configuration.', { place: 'project' }).names().onTheWire('groupId'),
    alertConfigId: id('The configuration. Give this or `select`.').names().onTheWire('id').optional(),
    select: object(
      {
        eventTypeName: commonly(
          EVENT_TYPES,
          'event type',
          'Type of event that triggers the alert.',
        ).optional(),
        metricName: commonly(
          METRIC_NAMES,
          'metric',
          'Metric of the configuration’s metric threshold.',
        ).optional(),
        matchers: set(
          element.object({
            fieldName: string('Field that the matcher looks at.').optional(),
            operator: string('How the matcher compares.').optional(),
            value: string('Value that the matcher compares with.').optional(),
          }),
          'Matchers that the configuration has to have, among others.',
        ).optional(),
        createdBefore: instant(
          'Only configurations created before this instant; those added later stay as they are.',
        ).optional(),
      },
      'Selects every configuration of the project that matches all of these.',
    )
      .local()
      .optional(),
    allowEmpty: boolean('Whether a selector that matches nothing, or an id that does not exist, is accepted.')
      .local()
      .or(false),
    enabled: boolean('Whether the configuration raises alerts.'),
  },
  expand: oneOrSelected({
    key: 'alertConfigId',
    members: {
      by: 'select',
      are: 'written',
      field: 'enabled',
      map: 'configurations',
      summary: 'The matched configurations by id, and whether each is enabled.',
    },
    looksAt: ['eventTypeName', 'metricThreshold', 'matchers', 'created'],
    matches: {
      eventTypeName: (wanted, live) => live['eventTypeName'] === wanted,
      metricName: (wanted, live) =>
        (live['metricThreshold'] as Values | undefined)?.['metricName'] === wanted,
      matchers: (wanted, live) => (wanted as Values[]).every((matcher) => hasMatcher(live, matcher)),
      // Without a known creation time, it may have been created since.
      createdBefore: (wanted, { created }) =>
        typeof created === 'string' && parseInstant(created) < parseInstant(textOf(wanted)),
    },
  }),
  observe: everything(
    getList('/groups/{projectId}/alertConfigs', 5),
    get('/groups/{projectId}/alertConfigs/{alertConfigId}', 7),
  ),
  establish: {
    create: none(
      'this API has no call to create an alert configuration',
      'By hand: Project {projectId} → Alerts → Alert Settings → Add{(what)}, then plan again.',
    ),
    adopt: { learnBy: [], mayBeMissing: 'allowEmpty' },
  },
  write: patch('/groups/{projectId}/alertConfigs/{alertConfigId}', 3),
  fixed: {
    names: [
      'eventTypeName',
      'typeName',
      'matchers',
      'metricName',
      'metricThreshold',
      'threshold',
      'notifications',
    ],
    because: none(
      'all that this API can change in an alert configuration is whether it is enabled',
      'By hand: Project {projectId} → Alerts → Alert Settings.',
    ),
  },
  absence: none(
    'this API has no call to delete an alert configuration',
    'Disable it: declare {enabled: false}.',
  ),
  lifetime: none('an alert configuration does not end by itself'),
  release: {
    forget,
    restore: {
      way: 'send',
      summary:
        '`enabled` goes back to its value at adoption, if the live value is still what was last written.',
      body: ({ adopted, applied }) => {
        const seen = adopted?.['enabled']
        return seen === undefined || seen === applied['enabled'] ? undefined : { enabled: seen }
      },
      ifUntouched: true,
    },
  },
  witness: {
    event: 'alertConfigId',
    instance: 'alertConfigId',
    places: ['groupId', 'orgId'],
    // Alerts name their configuration as well; only the audit of the configuration itself is about it.
    types: ['ALERT_CONFIG_'],
    fields: {},
    sets: {
      ALERT_CONFIG_ENABLED_AUDIT: { enabled: true },
      ALERT_CONFIG_DISABLED_AUDIT: { enabled: false },
    },
    repeated: [],
    endedBy: /^ALERT_CONFIG_(?:DELETED|REMOVED)(?:_AUDIT)?$/,
  },
  unmanaged: {
    foundBy: 'list',
    alsoNamedBy: ['eventTypeName'],
    what: (live) => {
      const metric = metricOf(live)
      const type = textOf(live['eventTypeName'])
      const what = typeof metric === 'string' ? `${type} of ${metric}` : type
      return live['enabled'] === false ? `would alert on ${what}, and is turned off` : `alerts on ${what}`
    },
  },
  guards: [],
  adoption: {
    names: (values) => namesOf(values),
    selectors: (live) => selectorsOf(live),
    bound: { made: 'created', by: 'createdBefore' },
    isOff: ({ enabled }) => enabled === false,
    whereAdded:
      'an apply turns configurations on or off there to match their entries, and a plan is blocked there until somebody has set up what is missing, unless its entry has allowEmpty',
    about: (live) => saysOf(live),
    remarks: ({ enabled, notifications }) => [
      ...(enabled === false ? ['off'] : []),
      ...(Array.isArray(notifications) && notifications.length > 0 ? [] : ['notifies nobody']),
    ],
  },
  silences: none('a configuration is on or off, not for a limited time'),
  rules: [
    {
      over: 'presence',
      reads: ['alertConfigId', 'select'],
      check: ({ alertConfigId, select }) =>
        (alertConfigId === undefined) === (select === undefined)
          ? [
              {
                path: [],
                text: 'give one of {.alertConfigId} and {.select}: exactly one of them says what is declared',
              },
            ]
          : [],
    },
    { over: 'entry', reads: ['select'], check: ({ select }) => emptiness(select as Values | undefined) },
    {
      over: 'element',
      list: ['select', 'matchers'],
      check: (matcher) =>
        isNamed(matcher)
          ? []
          : [{ path: [], text: 'an empty matcher would match every configuration; name a field' }],
    },
  ],
  docs: {
    example: `alertConfigurations:
  host-down: { projectId: 5c8100bcf2a30b12ff88258f, select: { eventTypeName: HOST_DOWN }, enabled: true }
  noisy: { projectId: 5c8100bcf2a30b12ff88258f, alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false, onRemove: restore }`,
    notes: [
      'An id beats a selector; two selectors that disagree about one configuration are an error.',
      'A selector cannot use `enabled`: it would no longer match what it has just changed.',
      'A selector also covers what is added later, unless it has `createdBefore`.',
      'For a configuration that a selector no longer matches, `onRemove` is carried out.',
      'All configurations of a project cost one list request for each 500 of them.',
    ],
  },
})

const hasMatcher = (live: Values, wanted: Values): boolean =>
  matchersOf(live).some((matcher) =>
    Object.entries(wanted).every(([name, value]) => value === undefined || matcher[name] === value),
  )

/** The API's samples call a matcher's field `field` where its table says `fieldName`; both occur. */
const matchersOf = ({ matchers }: Values): Values[] =>
  (Array.isArray(matchers) ? (matchers as (Values | null)[]) : [])
    .filter((matcher) => matcher !== null)
    .map((matcher) => ({ ...matcher, fieldName: matcher['fieldName'] ?? matcher['field'] }))

/** The metric of a live configuration, or of a selector. A service may write what a configuration lacks as null. */
const metricOf = ({ metricThreshold, metricName }: Values): unknown =>
  (metricThreshold as Values | null | undefined)?.['metricName'] ?? metricName

const limitOf = ({ metricThreshold, threshold }: Values): string => {
  const limit = (metricThreshold ?? threshold) as Values | null | undefined
  return spaced([limit?.['operator'], limit?.['threshold'], limit?.['units']])
}

const namesOf = (values: Values): string[] => {
  const base = textOf(metricOf(values) ?? values['eventTypeName'] ?? 'alert')
  const where = spaced([base, ...matchersOf(values).map(({ value }) => value)])
  return [base, where, spaced([where, limitOf(values)])]
}

/**
 * Selectors name the metric if there is one: each metric is a rule of its own, and a selector of all metrics would
 * not notice a deleted one.
 */
const selectorsOf = (live: Values): Values[] => {
  const { eventTypeName } = live
  const metricName = metricOf(live)
  const matchers = matchersOf(live).map((matcher) =>
    pickBy({ ...matcher }, (value, name) => MATCHER.includes(name) && typeof value === 'string'),
  )
  if (typeof eventTypeName !== 'string' || eventTypeName === '') return []
  const byType = typeof metricName === 'string' ? { eventTypeName, metricName } : { eventTypeName }
  return matchers.some((matcher) => !isNamed(matcher)) || matchers.length === 0
    ? [byType]
    : [byType, { ...byType, matchers }]
}
const MATCHER = ['fieldName', 'operator', 'value']

const saysOf = (live: Values): string =>
  [
    spaced([live['eventTypeName'], metricOf(live), limitOf(live)]),
    ...matchersOf(live).map(({ fieldName, operator, value }) => spaced([fieldName, operator, value])),
  ]
    .filter((text) => text.trim() !== '')
    .join(', ')

/** A selector has to name something: an empty one matches every configuration. */
const emptiness = (select: Values | undefined): Finding[] => {
  if (select === undefined) return []
  const { matchers, ...fields } = select
  if (isNamed(fields) || (Array.isArray(matchers) && matchers.length > 0)) return []
  return [{ path: ['select'], text: 'an empty selector would match every configuration; name a field' }]
}

const isNamed = (values: Values): boolean => Object.values(values).some((value) => value !== undefined)
