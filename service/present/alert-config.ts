import type { Context } from '../context.ts'
import { type AlertConfig, metricEvent } from '../model/alert-config.ts'
import { extraFields, instants, sampleLinks } from './common.ts'
import { presentNotification } from './notification.ts'

/** Endpoints 3, 5 and 7. */
export const presentAlertConfig = (context: Context, projectId: string, config: AlertConfig): object => {
  const { metricThreshold, threshold, matchers, notifications, ...rest } = config
  const isMetric = config.eventTypeName === metricEvent
  const webhook = () => context.store.get('integration', projectId, 'WEBHOOK')
  return {
    ...rest,
    groupId: projectId,
    ...instants(context, config, 'created', 'updated'),
    matchers: matchers.map((matcher) => presentMatcher(context, matcher)),
    ...(isMetric && metricThreshold ? { metricThreshold } : {}),
    ...(!isMetric && threshold ? { threshold } : {}),
    notifications: notifications.map((one) => presentNotification(one, webhook, context.settings)),
    links: sampleLinks(context, `/groups/${projectId}/alertConfigs/${config.id}`),
    ...extraFields(context),
  }
}

/** open.matcherKey: the samples have `field` where the table has `fieldName`. */
const presentMatcher = (context: Context, matcher: AlertConfig['matchers'][number]): object => {
  const { fieldName, operator, value } = matcher
  const key = context.settings.get('open.matcherKey')
  return {
    ...(key === 'field' ? {} : { fieldName }),
    ...(key === 'fieldName' ? {} : { field: fieldName }),
    operator,
    value,
  }
}
