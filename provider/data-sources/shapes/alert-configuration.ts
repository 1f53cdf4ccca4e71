import {
  boolean,
  commonly,
  type Decode,
  element,
  id,
  instant,
  list,
  number,
  object,
  string,
} from '../../core/field.ts'
import type { Values } from '../../core/values.ts'
import { EVENT_TYPES, METRIC_NAMES, UNITS } from '../../vocabulary.ts'
import { links } from './links.ts'
import { notification } from './notification.ts'

/** The API's samples call a matcher's field `field` where its table says `fieldName`; both occur. */
const spelt: Decode = (raw) => ({
  value: Array.isArray(raw) ? (raw as unknown[]).map((matcher) => withFieldName(matcher)) : raw,
})
const withFieldName = (matcher: unknown): unknown => {
  if (typeof matcher !== 'object' || matcher === null || !('field' in matcher)) return matcher
  const { field, ...others } = matcher as Values
  return { fieldName: field, ...others }
}

/** An alert configuration of a project (endpoints 5 and 7). It may have only some of these fields. */
export const alertConfiguration = {
  id: id('The configuration.'),
  projectId: id('Project that owns the configuration.').onTheWire('groupId'),
  created: instant('When the configuration was created.'),
  updated: instant('When the configuration was last changed.'),
  enabled: boolean('Whether the configuration raises alerts.'),
  eventTypeName: commonly(EVENT_TYPES, 'event type', 'Type of the event that triggers an alert.'),
  typeName: string('Deprecated; the service ignores it.'),
  matchers: list(
    element.object({
      fieldName: string('Field that the matcher looks at.'),
      operator: string('How the matcher compares.'),
      value: string('Value that the matcher compares with.'),
    }),
    'What an event has to match to trigger an alert.',
  ).readAs(spelt),
  metricThreshold: object(
    {
      metricName: commonly(METRIC_NAMES, 'metric', 'Metric that is measured.'),
      mode: string('How values are combined, such as AVERAGE.'),
      operator: string('How the value is compared, such as LESS_THAN.'),
      threshold: number('Value beyond which an alert is raised.'),
      units: commonly(UNITS, 'unit', 'Unit of the threshold.'),
    },
    'Threshold of a metric. Only if `eventTypeName` is OUTSIDE_METRIC_THRESHOLD.',
  ),
  threshold: object(
    {
      operator: string('How the value is compared.'),
      threshold: number('Value beyond which an alert is raised.'),
      units: commonly(UNITS, 'unit', 'Unit of the threshold.'),
    },
    'Threshold. Only if `eventTypeName` is not OUTSIDE_METRIC_THRESHOLD.',
  ),
  notifications: list(element.object(notification), 'Who is notified, how and when.'),
  links,
}
