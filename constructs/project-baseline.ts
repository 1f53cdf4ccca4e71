import { Construct } from 'constructs'
import { AlertPolicy } from './alert-policy.ts'
import {
  checkBaseline,
  effective,
  type Baseline,
  type ProjectBaselineConfig,
  type ProjectTeam,
} from './baseline.ts'
import { given } from './checks.ts'
import { refuse } from './declaration-error.ts'
import { DataDeploymgmtAgents } from './generated/all.ts'
import { IntegrationGuard } from './integration-guard.ts'
import { RecurringMaintenanceWindow, type WindowRule } from './recurring-maintenance-window.ts'
import { TeamRoles } from './team-roles.ts'
import type { AgentType } from './vocabulary.ts'

type WindowsOf<B extends Baseline> = {
  readonly [N in keyof NonNullable<B['windows']>]: RecurringMaintenanceWindow | undefined
}

/** Alerts, windows, integrations and people of one project, from a baseline and the project's deviations. */
export class ProjectBaseline<
  const B extends Baseline = Baseline,
  const U extends string = string,
> extends Construct {
  readonly alerts: AlertPolicy<'project'> | undefined
  /** By name; undefined if an override has removed it. */
  readonly windows: WindowsOf<B>
  readonly integrations: IntegrationGuard<'project'> | undefined
  readonly agents: Readonly<Partial<Record<AgentType, DataDeploymgmtAgents>>>
  readonly team: TeamRoles<'organization', 'project', U> | undefined

  constructor(scope: Construct, id: string, config: ProjectBaselineConfig<B, U>) {
    super(scope, id)
    refuse(this, checkBaseline(config))
    const { alerts, windows, integrations, agents } = effective(config)
    const projects = { project: config.projectId }
    const provider = given({ provider: config.provider })
    this.alerts =
      Object.keys(alerts).length === 0
        ? undefined
        : new AlertPolicy(this, 'alerts', { projects, alerts, ...provider })
    this.windows = this.#windowsFor(config, windows) as WindowsOf<B>
    this.integrations =
      integrations === null
        ? undefined
        : new IntegrationGuard(this, 'integrations', { projects, ...integrations, ...provider })
    this.agents = this.#agentsFor(config, agents)
    this.team = config.team === undefined ? undefined : this.#teamFor(config, config.team)
  }

  #windowsFor(
    { projectId, clock, provider }: ProjectBaselineConfig<B, U>,
    rules: Readonly<Record<string, WindowRule>>,
  ): Record<string, RecurringMaintenanceWindow> {
    const group = new Construct(this, 'windows')
    return Object.fromEntries(
      Object.entries(rules).map(([name, rule]) => [
        name,
        new RecurringMaintenanceWindow(group, name, { ...rule, projectId, ...given({ clock, provider }) }),
      ]),
    )
  }

  #agentsFor(
    { projectId, provider }: ProjectBaselineConfig<B, U>,
    types: readonly AgentType[],
  ): Partial<Record<AgentType, DataDeploymgmtAgents>> {
    const group = new Construct(this, 'agents')
    return Object.fromEntries(
      types.map((type) => [
        type,
        new DataDeploymgmtAgents(group, type, { projectId, type, ...given({ provider }) }),
      ]),
    )
  }

  #teamFor(
    { projectId, provider }: ProjectBaselineConfig<B, U>,
    { orgId, users, roles, onRemove }: ProjectTeam<U>,
  ): TeamRoles<'organization', 'project', U> {
    return new TeamRoles<'organization', 'project', U>(this, 'team', {
      projects: { project: projectId },
      users,
      roles,
      ...given({
        organizations: orgId === undefined ? undefined : { organization: orgId },
        onRemove,
        provider,
      }),
    })
  }
}
