import type { AlertConfig } from '../model/alert-config.ts'
import type { Alert } from '../model/alert.ts'
import type { ApiKey, PersonalKey } from '../model/api-key.ts'
import type { AutomationStatus } from '../model/automation.ts'
import type { Agent, Host } from '../model/host.ts'
import type { Integration } from '../model/integration.ts'
import type { User } from '../model/user.ts'
import type { Window } from '../model/window.ts'

export interface Organization {
  readonly id: string
  readonly name: string
}

export interface Project {
  readonly id: string
  readonly orgId: string
  readonly name: string
  readonly automationStatus: AutomationStatus
}

/** A global alert; one of a project has the project's id. */
type GlobalAlert = Alert & { readonly groupId?: string }

/** A condition that holds for an alert configuration, for one host or without a host. */
export interface Condition {
  readonly alertConfigId: string
  readonly hostId?: string
  readonly since: string
  readonly currentValue?: Alert['currentValue']
}

/** How far the engine has processed an alert; alerts of a fixture have none until it drives them. */
export interface Progress {
  readonly alertId: string
  /** Everything up to this instant is processed. */
  readonly settledAt: number
  /** The start of the condition, from which delays are counted. */
  readonly since: number
  /** The indexes of the configuration's notifications that were sent at least once. */
  readonly notified: readonly number[]
}

/** The record of each kind; the parent is the organization, project or user that owns it. */
export interface Records {
  readonly organization: Organization
  readonly apiKey: ApiKey
  readonly project: Project
  readonly alertConfig: AlertConfig
  readonly alert: Alert
  readonly globalAlert: GlobalAlert
  readonly host: Host
  readonly agent: Agent
  readonly integration: Integration
  readonly window: Window
  readonly user: User
  readonly personalKey: PersonalKey
  readonly condition: Condition
  readonly progress: Progress
}

export type Kind = keyof Records
