import type { DataSourceDefinition } from '../core/data-source.ts'
import agents from './agents.ts'
import alertConfiguration from './alert-configuration.ts'
import alertConfigurations from './alert-configurations.ts'
import alert from './alert.ts'
import alerts from './alerts.ts'
import apiKeyAccessList from './api-key-access-list.ts'
import automationStatus from './automation-status.ts'
import disks from './disks.ts'
import globalAlert from './global-alert.ts'
import integrations from './integrations.ts'
import organizationEvent from './organization-event.ts'
import organizationEvents from './organization-events.ts'
import projectEvent from './project-event.ts'
import userAccessListEntry from './user-access-list-entry.ts'

/** Every data source. A new one is a new file and a line here. */
export const dataSources: readonly DataSourceDefinition[] = [
  alerts,
  alert,
  globalAlert,
  alertConfigurations,
  alertConfiguration,
  automationStatus,
  agents,
  disks,
  integrations,
  apiKeyAccessList,
  userAccessListEntry,
  organizationEvents,
  organizationEvent,
  projectEvent,
]

export {
  agents,
  alert,
  alertConfiguration,
  alertConfigurations,
  alerts,
  apiKeyAccessList,
  automationStatus,
  disks,
  globalAlert,
  integrations,
  organizationEvent,
  organizationEvents,
  projectEvent,
  userAccessListEntry,
}
