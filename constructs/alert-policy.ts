import type { IResolvable, TerraformProvider } from 'cdktf'
import { Construct } from 'constructs'
import { checkIds, checkNames, checkRemoval, given, problem, warnOfWord } from './checks.ts'
import { watchForConflicts } from './conflicts.ts'
import { refuse, type Problem } from './declaration-error.ts'
import { AlertConfiguration, type AlertConfigurationSelect } from './generated/all.ts'
import { REMOVALS } from './generated/removals.ts'
import { EVENT_TYPES, METRIC_NAMES } from './generated/vocabulary.ts'
import { checkSelector, checkSelectorShape, clashOf, type AlertSelector } from './selector.ts'
import { anything, checkShape, checkShapes, lateFlag, lateText, needed, table, type Shape } from './shape.ts'
import type { Removal } from './vocabulary.ts'

/** Which alert configurations, and whether they are enabled. */
export interface AlertRule {
  readonly select: AlertSelector
  readonly enabled: boolean | IResolvable
  /** Whether a project may lack such a configuration; otherwise its absence is blocked, with what to do. */
  readonly allowEmpty?: boolean | IResolvable
  readonly onRemove?: Removal<'alert_configuration'>
}

export interface AlertPolicyConfig<P extends string = string, A extends string = string> {
  /** Ids of the projects by name; the names become part of logical ids. */
  readonly projects: Readonly<Record<P, string>>
  /** The rules for each of them, by name. */
  readonly alerts: Readonly<Record<A, AlertRule>>
  readonly provider?: TerraformProvider
}

/** Declares which alert configurations are enabled and which are not, the same in every project. */
export class AlertPolicy<const P extends string = string, const A extends string = string> extends Construct {
  /** By the name of the project, then by the name of the rule. */
  readonly configurations: Readonly<Record<P, Readonly<Record<A, AlertConfiguration>>>>

  constructor(scope: Construct, id: string, config: AlertPolicyConfig<P, A>) {
    super(scope, id)
    const policy: AlertPolicyConfig = config
    refuse(this, checkPolicy(policy))
    watchForConflicts(this)
    warnOfWords(this, policy.alerts)
    this.configurations = Object.fromEntries(
      Object.entries(policy.projects).map(([name, projectId]) => {
        const project = new Construct(this, name)
        return [name, configurationsIn(project, projectId, policy)]
      }),
    ) as Record<P, Record<A, AlertConfiguration>>
  }
}

const configurationsIn = (
  project: Construct,
  projectId: string,
  { alerts, provider }: AlertPolicyConfig,
): Record<string, AlertConfiguration> =>
  Object.fromEntries(
    Object.entries(alerts).map(([name, { select, enabled, allowEmpty, onRemove }]) => [
      name,
      new AlertConfiguration(
        project,
        name,
        given({ projectId, select: selectOf(select), enabled, allowEmpty, onRemove, provider }),
      ),
    ]),
  )

/** A copy, because the bindings write into the lists that they are given. */
const selectOf = (select: AlertSelector): AlertConfigurationSelect => {
  const { matchers, ...named } = select
  return given({ ...named, matchers: matchers?.map((matcher) => ({ ...matcher })) })
}

const SHAPE: Shape<AlertPolicyConfig> = {
  projects: needed(table),
  alerts: needed(table),
  provider: anything,
}

export const ALERT_RULE_SHAPE: Shape<AlertRule> = {
  select: needed(table),
  enabled: needed(lateFlag),
  allowEmpty: lateFlag,
  onRemove: lateText,
}

const checkPolicy = (config: AlertPolicyConfig): Problem[] => {
  const found = checkShape('', config, SHAPE)
  if (found.length > 0) return found
  const { projects, alerts } = config
  const wrong = checkShapes('alerts', alerts, ALERT_RULE_SHAPE)
  if (wrong.length > 0) return wrong
  const rules = Object.entries(alerts)
  const selectors = rules.flatMap(([name, { select }]) => checkSelectorShape(`alerts.${name}.select`, select))
  if (selectors.length > 0) return selectors
  const named = rules.map(([name, rule]): NamedRule => ({ ...rule, name }))
  return [
    ...checkNames('projects', projects),
    ...checkNames('alerts', alerts),
    ...(Object.keys(projects).length === 0 ? [problem('projects', 'at least one is needed')] : []),
    ...checkIds('projects', projects),
    ...(rules.length === 0 ? [problem('alerts', 'at least one is needed')] : []),
    ...rules.flatMap(([name, rule]) => checkAlert(`alerts.${name}`, rule)),
    ...named.flatMap((rule, index) =>
      named.slice(0, index).flatMap((earlier) => checkAgainst(rule, earlier)),
    ),
  ]
}

const checkAlert = (property: string, { select, onRemove }: AlertRule): Problem[] => [
  ...checkSelector(`${property}.select`, select),
  ...checkRemoval(`${property}.onRemove`, onRemove, REMOVALS.alert_configuration),
]

/**
 * Refuses equal selectors, and overlapping ones that contradict each other: a plan would refuse a configuration that
 * both claim.
 */
const checkAgainst = (rule: NamedRule, earlier: NamedRule): Problem[] => {
  const clash = clashOf(rule, earlier)
  if (clash === undefined) return []
  if (clash.is === 'same')
    return [
      problem(
        `alerts.${rule.name}.select`,
        `selects the same as alerts.${earlier.name}${clash.isOpposite ? ', and they disagree about enabled' : ''}`,
      ),
    ]
  const { inner, outer } = clash
  return [
    problem(
      `alerts.${rule.name}.enabled`,
      `alerts.${outer.name} also selects everything that alerts.${inner.name} selects, and they disagree about enabled`,
    ),
  ]
}

type NamedRule = AlertRule & { readonly name: string }

const warnOfWords = (construct: Construct, alerts: AlertPolicyConfig['alerts']): void => {
  for (const [name, { select }] of Object.entries(alerts)) {
    const property = `alerts.${name}.select`
    warnOfWord(construct, `${property}.eventTypeName`, 'event type', select.eventTypeName, EVENT_TYPES)
    warnOfWord(construct, `${property}.metricName`, 'metric', select.metricName, METRIC_NAMES)
  }
}
