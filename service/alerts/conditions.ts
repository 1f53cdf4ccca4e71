import type { ProjectContext } from '../context.ts'
import type { AlertConfig } from '../model/alert-config.ts'
import type { Condition } from '../store/records.ts'
import { formatTimestamp } from '../time.ts'
import { conditionId, settleAlerts } from './engine.ts'
import { drive, endAlert, liveAlerts } from './live-alerts.ts'
import { startAlerts } from './new-alert.ts'

type About = Pick<Condition, 'hostId' | 'currentValue'>

/**
 * Records that a condition holds or no longer holds, and returns the alerts of the configuration. Without a host,
 * any live alert of the configuration satisfies the condition, and clearing it closes all of them. What another
 * condition still needs goes on, or starts.
 */
export const setCondition = (
  context: ProjectContext,
  config: AlertConfig,
  { active, ...about }: About & { readonly active: boolean },
): object => {
  settleAlerts(context)
  if (active) begin(context, config, about)
  else clear(context, config, about)
  settleAlerts(context)
  const alerts = context.store
    .list('alert', context.projectId)
    .filter(({ alertConfigId }) => alertConfigId === config.id)
  return { alerts: alerts.map(({ id, status }) => ({ alertId: id, status })) }
}

const begin = (context: ProjectContext, config: AlertConfig, about: About): void => {
  const { store, clock, projectId } = context
  const id = conditionId({ alertConfigId: config.id, ...about })
  const before = store.get('condition', projectId, id)
  const since = before?.since ?? formatTimestamp(clock.now())
  const condition: Condition = { ...before, alertConfigId: config.id, since, ...about }
  store.put('condition', projectId, id, condition)
  for (const alert of liveAlerts(context, config.id, about.hostId)) {
    drive(context, alert)
    if (about.currentValue === undefined) continue
    const measured = { ...alert, currentValue: about.currentValue, updated: formatTimestamp(clock.now()) }
    store.put('alert', projectId, alert.id, measured)
  }
  startAlerts(context, config)
}

const clear = (context: ProjectContext, config: AlertConfig, about: About): void => {
  const { store, settings, projectId } = context
  const holding = store
    .list('condition', projectId)
    .filter(({ alertConfigId }) => alertConfigId === config.id)
  const isOver = ({ hostId }: Condition): boolean => about.hostId === undefined || hostId === about.hostId
  const over = holding.filter(isOver)
  for (const condition of over) store.remove('condition', projectId, conditionId(condition))
  for (const alert of liveAlerts(context, config.id, about.hostId)) {
    // An alert without a host stands for all conditions of its configuration.
    if (alert.hostId === undefined && over.length < holding.length) continue
    const status = alert.status === 'TRACKING' ? settings.get('open.trackingCleared') : 'CLOSED'
    endAlert(context, alert, config, status)
  }
  startAlerts(context, config)
}
