import type { Endpoint } from '../http/endpoint.ts'
import { alertConfigEndpoints } from './alert-configs.ts'
import { alertEndpoints } from './alerts.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { automationEndpoints } from './automation.ts'
import { eventEndpoints } from './events.ts'
import { integrationEndpoints } from './integrations.ts'
import { userEndpoints } from './users.ts'
import { windowEndpoints } from './windows.ts'

/** The 21 endpoints, in the order of the API description. */
export const endpoints: readonly Endpoint[] = [
  ...apiKeyEndpoints,
  ...alertConfigEndpoints,
  ...alertEndpoints,
  ...automationEndpoints,
  ...userEndpoints,
  ...windowEndpoints,
  ...integrationEndpoints,
  ...eventEndpoints,
].toSorted((left, right) => left.number - right.number)
