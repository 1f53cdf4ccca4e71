import type { Context } from '../context.ts'
import type { AlertConfig } from '../model/alert-config.ts'
import type { Condition } from '../store/records.ts'
import { formatTimestamp } from '../time.ts'
import { conditionId, settleAlerts } from './engine.ts'
import { drive, endAlert, liveAlerts } from './live-alerts.ts'
import { startAlert } from './new-alert.ts'

type About = Pick<Condition, 'hostId' | 'currentValue'>

/**
 * Records that a condition holds or no longer holds, and returns the alerts of the configuration. Without a host,
 * any live alert of the configuration satisfies the condition, and clearing it closes all of them.
 */
export const setCondition = (
  context: Context,
  projectId: string,
  config: AlertConfig,
  { active, ...about }: About & { readonly active: boolean },
): object => {
  settleAlerts(context)
  if (active) begin(context, projectId, config, about)
  else clear(context, projectId, config, about)
  settleAlerts(context)
  const alerts = context.store
    .list('alert', projectId)
    .filter(({ alertConfigId }) => alertConfigId === config.id)
  return { alerts: alerts.map(({ id, status }) => ({ alertId: id, status })) }
}

const begin = (context: Context, projectId: string, config: AlertConfig, about: About): void => {
  const { store, clock } = context
  const id = conditionId({ alertConfigId: config.id, ...about })
  const before = store.get('condition', projectId, id)
  const since = before?.since ?? formatTimestamp(clock.now())
  const condition: Condition = { ...before, alertConfigId: config.id, since, ...about }
  store.put('condition', projectId, id, condition)
  const live = liveAlerts(context, projectId, config.id, about.hostId)
  for (const alert of live) {
    drive(context, projectId, alert)
    if (about.currentValue === undefined) continue
    const measured = { ...alert, currentValue: about.currentValue, updated: formatTimestamp(clock.now()) }
    store.put('alert', projectId, alert.id, measured)
  }
  // An alert of a disabled configuration never starts.
  if (live.length === 0 && config.enabled) startAlert(context, projectId, config, condition)
}

const clear = (context: Context, projectId: string, config: AlertConfig, about: About): void => {
  const { store, settings } = context
  for (const condition of store.list('condition', projectId)) {
    const isMeant = about.hostId === undefined || condition.hostId === about.hostId
    if (condition.alertConfigId !== config.id || !isMeant) continue
    store.remove('condition', projectId, conditionId(condition))
  }
  for (const alert of liveAlerts(context, projectId, config.id, about.hostId)) {
    const status = alert.status === 'TRACKING' ? settings.get('open.trackingCleared') : 'CLOSED'
    endAlert(context, projectId, alert, config, status)
  }
}
