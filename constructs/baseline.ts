import type { TerraformProvider } from 'cdktf'
import { ALERT_RULE_SHAPE, type AlertRule } from './alert-policy.ts'
import { checkId, checkNames, checkWords, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'
import { AGENT_TYPES } from './generated/vocabulary.ts'
import { INTEGRATION_RULES_SHAPE, type IntegrationRules } from './integration-guard.ts'
import { changed, checkChanges, type Changes } from './overrides.ts'
import type { Person } from './person.ts'
import { WINDOW_RULE_SHAPE, type WindowRule } from './recurring-maintenance-window.ts'
import {
  anything,
  checkGiven,
  checkShape,
  checkShapes,
  lateText,
  list,
  needed,
  table,
  type Shape,
} from './shape.ts'
import type { RoleRow } from './role-table.ts'
import type { AgentType, Removal } from './vocabulary.ts'

/** What many projects have in common. */
export interface Baseline {
  readonly alerts?: Readonly<Record<string, AlertRule>>
  readonly windows?: Readonly<Record<string, WindowRule>>
  readonly integrations?: IntegrationRules
  /** Agent types to read, for outputs and checks: a data source each. */
  readonly agents?: readonly AgentType[]
}

/**
 * Refuses properties that a baseline and its parts do not have; a type inferred from the value would accept them.
 */
export type NothingElse<B> = {
  readonly [K in keyof B]: K extends 'alerts'
    ? { readonly [N in keyof B[K]]: Only<B[K][N], AlertRule> }
    : K extends 'windows'
      ? { readonly [N in keyof B[K]]: Only<B[K][N], WindowRule> }
      : K extends 'integrations'
        ? Only<B[K], IntegrationRules>
        : K extends keyof Baseline
          ? B[K]
          : never
}
type Only<V, T> = { readonly [K in keyof V]: K extends keyof T ? V[K] : never }

/** The deviations of one project: by name, a part of a rule, or `null` to remove it. */
export interface BaselineOverrides<B extends Baseline = Baseline> {
  readonly alerts?: Changes<keyof NonNullable<B['alerts']>, AlertRule>
  readonly windows?: Changes<keyof NonNullable<B['windows']>, WindowRule>
  readonly integrations?: IntegrationRules | null
  readonly agents?: readonly AgentType[]
}

/** The people of one project. People who work in several belong in a separate TeamRoles. */
export interface ProjectTeam<U extends string = string> {
  /** The project's organization, for organization roles. */
  readonly orgId?: string
  readonly users: Readonly<Record<U, Person>>
  readonly roles: { readonly [name in NoInfer<U>]: RoleRow<'organization', 'project'> }
  readonly onRemove?: Removal<'user'>
}

export interface ProjectBaselineConfig<B extends Baseline = Baseline, U extends string = string> {
  readonly projectId: string
  readonly baseline: B & NothingElse<B>
  readonly overrides?: BaselineOverrides<NoInfer<B>>
  readonly team?: ProjectTeam<U>
  /** Leaves out windows that have ended by this time. */
  readonly clock?: () => Date
  readonly provider?: TerraformProvider
}

interface Effective {
  readonly alerts: Readonly<Record<string, AlertRule>>
  readonly windows: Readonly<Record<string, WindowRule>>
  readonly integrations: IntegrationRules | null
  readonly agents: readonly AgentType[]
}

export const effective = ({ baseline, overrides = {} }: ProjectBaselineConfig): Effective => ({
  alerts: changed(baseline.alerts ?? {}, overrides.alerts ?? {}),
  windows: changed(baseline.windows ?? {}, overrides.windows ?? {}),
  integrations: overrides.integrations === null ? null : integrationsOf(baseline, overrides),
  agents: overrides.agents ?? baseline.agents ?? [],
})

const integrationsOf = (baseline: Baseline, overrides: BaselineOverrides): IntegrationRules | null => {
  const rules = { ...baseline.integrations, ...overrides.integrations }
  return Object.keys(rules).length === 0 ? null : rules
}

const SHAPE: Shape<ProjectBaselineConfig> = {
  projectId: needed(lateText),
  baseline: needed(table),
  overrides: table,
  team: table,
  clock: anything,
  provider: anything,
}
const BASELINE_SHAPE: Shape<Baseline> = { alerts: table, windows: table, integrations: table, agents: list }
const TEAM_SHAPE: Shape<ProjectTeam> = {
  orgId: lateText,
  users: needed(table),
  roles: needed(table),
  onRemove: lateText,
}

const checkConfig = (config: ProjectBaselineConfig): Problem[] => {
  const found = checkShape('', config, SHAPE)
  if (found.length > 0) return found
  const { baseline, overrides = {}, team } = config
  const { integrations, ...others } = overrides
  const wrong = [
    ...checkShape('baseline', baseline, BASELINE_SHAPE),
    ...checkShape('overrides', integrations === null ? others : overrides, BASELINE_SHAPE),
    ...(team === undefined ? [] : checkShape('team', team, TEAM_SHAPE)),
  ]
  return wrong.length > 0 ? wrong : checkParts(baseline, overrides)
}

const checkParts = (baseline: Baseline, { alerts, windows, integrations }: BaselineOverrides): Problem[] => [
  ...checkShapes('baseline.alerts', baseline.alerts ?? {}, ALERT_RULE_SHAPE),
  ...checkShapes('baseline.windows', baseline.windows ?? {}, WINDOW_RULE_SHAPE),
  ...checkShape('baseline.integrations', baseline.integrations ?? {}, INTEGRATION_RULES_SHAPE),
  ...checkChanges('overrides.alerts', baseline.alerts ?? {}, alerts ?? {}, ALERT_RULE_SHAPE),
  ...checkChanges('overrides.windows', baseline.windows ?? {}, windows ?? {}, WINDOW_RULE_SHAPE),
  ...checkShape('overrides.integrations', integrations ?? {}, INTEGRATION_RULES_SHAPE),
  ...checkGiven('overrides.integrations', integrations ?? {}),
]

export const checkBaseline = (config: ProjectBaselineConfig): Problem[] => {
  const wrong = checkConfig(config)
  if (wrong.length > 0) return wrong
  const { alerts, windows, integrations, agents } = effective(config)
  const empty =
    integrations === null &&
    config.team === undefined &&
    [alerts, windows, agents].every((things) => Object.keys(things).length === 0)
  return [
    ...checkId('projectId', config.projectId),
    ...checkNames('baseline.windows', windows),
    ...checkWords('agents', 'agent type', agents, AGENT_TYPES),
    ...(empty ? [problem('baseline', 'nothing is left in it, so nothing would be declared')] : []),
  ]
}
