import type { ProjectContext } from '../context.ts'
import type { AlertConfig } from '../model/alert-config.ts'
import { endAlert, liveAlerts } from './live-alerts.ts'
import { startAlerts } from './new-alert.ts'

/**
 * Updates the alerts of a configuration that is enabled or disabled: a disabled one starts none, and its live ones
 * are cancelled (open.disabledConfigAlerts); an enabled one starts alerts for the conditions that hold.
 */
export const settleConfigChange = (context: ProjectContext, config: AlertConfig): void => {
  if (config.enabled) {
    startAlerts(context, config)
    return
  }
  if (context.settings.get('open.disabledConfigAlerts') === 'kept') return
  for (const alert of liveAlerts(context, config.id)) {
    // Alerts of a fixture keep their status until the engine drives them.
    if (!context.store.get('progress', context.projectId, alert.id)) continue
    endAlert(context, alert, config, 'CANCELLED')
  }
}
