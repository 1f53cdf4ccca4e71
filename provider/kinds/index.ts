import type { KindDefinition } from '../core/definition.ts'
import alertConfiguration from './alert-configuration.ts'
import apiKey from './api-key.ts'
import integration from './integration.ts'
import maintenanceWindow from './maintenance-window.ts'
import user from './user.ts'

/** Every kind, in the order of the manifest's sections. A new kind is a new file and a line here. */
export const kinds: readonly KindDefinition[] = [
  apiKey,
  user,
  alertConfiguration,
  maintenanceWindow,
  integration,
]

export { alertConfiguration, apiKey, integration, maintenanceWindow, user }
