import type { TerraformProvider } from 'cdktf'
import { Construct } from 'constructs'
import { checkIds, checkNames, checkWords, given, isKnown, problem } from './checks.ts'
import { watchForConflicts } from './conflicts.ts'
import { refuse, type Problem } from './declaration-error.ts'
import { Integration } from './generated/all.ts'
import { INTEGRATIONS } from './generated/vocabulary.ts'
import { anything, checkKnown, checkShape, flag, lateList, list, needed, table, type Shape } from './shape.ts'
import type { IntegrationType } from './vocabulary.ts'

/** What a project must have and must not have. */
export interface IntegrationRules {
  /** Types that must exist. No endpoint creates one: if one is missing, the plan says what to do by hand. */
  readonly present?: readonly IntegrationType[]
  /** Types that must not exist; an existing one is deleted, which cannot be undone. */
  readonly absent?: readonly IntegrationType[]
  /** Types that may exist; any other one is deleted, once `allowDelete` is set. */
  readonly only?: readonly IntegrationType[]
  /** Allows `only` to delete. */
  readonly allowDelete?: boolean
}

export interface IntegrationGuardConfig<P extends string = string> extends IntegrationRules {
  /** Ids of the projects by name; the names become part of logical ids. */
  readonly projects: Readonly<Record<P, string>>
  readonly provider?: TerraformProvider
}

/** The integrations of a project by type, and its only-list by `only`. */
export type Guarded = Readonly<Partial<Record<IntegrationType | 'only', Integration>>>

/** Declares which third-party integrations each project must have, and which it must not have. */
export class IntegrationGuard<const P extends string = string> extends Construct {
  /** By the name of the project, then by type. */
  readonly integrations: Readonly<Record<P, Guarded>>

  constructor(scope: Construct, id: string, config: IntegrationGuardConfig<P>) {
    super(scope, id)
    const guard: IntegrationGuardConfig = config
    refuse(this, checkGuard(guard))
    watchForConflicts(this)
    this.integrations = Object.fromEntries(
      Object.entries(guard.projects).map(([name, projectId]) => {
        const resources = guardsIn(new Construct(this, name), projectId, guard)
        return [name, Object.fromEntries(resources.map((resource) => [resource.node.id, resource]))]
      }),
    ) as Record<P, Guarded>
  }
}

// A type that moves from one list to the other keeps its logical id: a change, not a removal and a creation.
const guardsIn = (project: Construct, projectId: string, config: IntegrationGuardConfig): Integration[] => {
  const { present = [], absent = [], only, allowDelete, provider } = config
  const ensure = (type: string, wanted: 'present' | 'absent'): Integration =>
    new Integration(project, type, given({ projectId, type, ensure: wanted, provider }))
  const allow = allowDelete === true ? ['delete'] : undefined
  return [
    ...present.map((type) => ensure(type, 'present')),
    ...absent.map((type) => ensure(type, 'absent')),
    ...(only === undefined
      ? []
      : [
          new Integration(
            project,
            'only',
            given({
              projectId,
              only: isKnown(only) ? [...only] : (only as IntegrationType[]),
              allow,
              provider,
            }),
          ),
        ]),
  ]
}

export const INTEGRATION_RULES_SHAPE: Shape<IntegrationRules> = {
  present: list,
  absent: list,
  only: lateList,
  allowDelete: flag,
}
const SHAPE: Shape<IntegrationGuardConfig> = {
  ...INTEGRATION_RULES_SHAPE,
  projects: needed(table),
  provider: anything,
}

const checkGuard = (config: IntegrationGuardConfig): Problem[] => {
  const wrong = checkShape('', config, SHAPE)
  if (wrong.length > 0) return wrong
  const { projects, present, absent, only } = config
  return [
    ...checkNames('projects', projects),
    ...Object.entries({ present, absent }).flatMap(([property, types]) => checkKnown(property, types ?? [])),
    ...(Object.keys(projects).length === 0 ? [problem('projects', 'at least one is needed')] : []),
    ...checkIds('projects', projects),
    ...Object.entries({ present, absent, only }).flatMap(([property, types]) =>
      checkWords(property, 'integration type', types ?? [], INTEGRATIONS),
    ),
    ...contradictions(config),
    ...(only === undefined ? withoutOnly(config) : []),
  ]
}

/** Types that two of the lists treat differently; an only-list that the synthesis does not know is not compared. */
const contradictions = ({ present = [], absent = [], only }: IntegrationGuardConfig): Problem[] => {
  const allowed = only === undefined || !isKnown(only) ? undefined : only
  return [
    ...absent.flatMap((type, index) => [
      ...(present.includes(type)
        ? [problem(`absent[${index}]`, `${type} must be present too, by present`)]
        : []),
      ...(allowed?.includes(type) === true
        ? [problem(`absent[${index}]`, `${type} may be present, by only`)]
        : []),
    ]),
    ...present.flatMap((type, index) =>
      allowed?.includes(type) === false ? [problem(`present[${index}]`, `${type} is not among only`)] : [],
    ),
  ]
}

const withoutOnly = ({ present = [], absent = [], allowDelete }: IntegrationGuardConfig): Problem[] => [
  ...(present.length + absent.length === 0
    ? [problem('present', 'give at least one of present, absent and only; otherwise nothing is declared')]
    : []),
  ...(allowDelete === undefined
    ? []
    : [problem('allowDelete', 'applies to only, which is not given; absent needs no permission')]),
]
