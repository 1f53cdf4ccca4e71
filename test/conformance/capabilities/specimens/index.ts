import type { Specimen } from '../support/specimen.ts'
import alertConfiguration from './alert-configuration.ts'
import apiKey from './api-key.ts'
import integration from './integration.ts'
import maintenanceWindow from './maintenance-window.ts'
import user from './user.ts'

/** One for each kind of the registry; `complete.test.ts` fails if one is missing. */
export const specimens: readonly Specimen[] = [
  apiKey,
  user,
  alertConfiguration,
  maintenanceWindow,
  integration,
]
