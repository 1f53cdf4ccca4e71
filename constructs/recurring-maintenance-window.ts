import { Annotations, type TerraformProvider } from 'cdktf'
import { Construct } from 'constructs'
import { checkId, checkOpenWord, checkRemoval, given, isKnown, problem, warnOfWord } from './checks.ts'
import { DeclarationError, refuse, type Problem } from './declaration-error.ts'
import { MaintenanceWindow } from './generated/all.ts'
import { formatInstant } from './generated/instant.ts'
import { REMOVALS } from './generated/removals.ts'
import { WINDOW_ALERT_TYPES } from './generated/vocabulary.ts'
import { leftOut, occurrencesOf, type Occurrence, type Occurrences } from './occurrences.ts'
import { checkRecurrence, type Recurrence } from './recurrence.ts'
import { anything, checkShape, lateList, lateText, needed, text, type Shape } from './shape.ts'
import type { Removal, WindowAlertType } from './vocabulary.ts'

export interface RecurringMaintenanceWindowConfig extends Recurrence {
  readonly projectId: string
  /** Alert types to silence. */
  readonly alertTypeNames: readonly WindowAlertType[]
  readonly description?: string
  readonly onRemove?: Removal<'maintenance_window'>
  /** Leaves out windows that have ended by this time. Without it, the result depends on the declaration alone. */
  readonly clock?: () => Date
  readonly provider?: TerraformProvider
}

/** A recurring window without its project. */
export type WindowRule = Omit<RecurringMaintenanceWindowConfig, 'projectId' | 'clock' | 'provider'>

/**
 * A window for each occurrence of a rule between two moments. Each is named by its start: rewriting the rule with
 * the same meaning changes nothing.
 */
export class RecurringMaintenanceWindow extends Construct {
  readonly occurrences: readonly Occurrence[]
  readonly windows: readonly MaintenanceWindow[]
  /** Local times that a clock change skips; they have no window. */
  readonly skipped: readonly string[]

  constructor(scope: Construct, id: string, config: RecurringMaintenanceWindowConfig) {
    super(scope, id)
    refuse(this, checkWindow(config))
    const { occurrences, skipped } = this.#expand(config)
    const now = this.#now(config)
    this.occurrences = occurrences.filter(({ endDate }) => now === undefined || Date.parse(endDate) > now)
    this.skipped = skipped
    this.windows = this.occurrences.map((occurrence) => this.#windowFor(occurrence, config))
    const { alertTypeNames } = config
    for (const [index, name] of (isKnown(alertTypeNames) ? alertTypeNames : []).entries())
      warnOfWord(this, `alertTypeNames[${index}]`, 'alert type', name, WINDOW_ALERT_TYPES)
    if (skipped.length > 0) Annotations.of(this).addWarning(skippedText(this, skipped, config.timezone))
    if (now !== undefined && this.windows.length === 0)
      Annotations.of(this).addWarning(endedText(this, occurrences.length, now, config.until))
  }

  /** An invalid time would leave out every window, and the next apply would end them all. */
  #now({ clock }: RecurringMaintenanceWindowConfig): number | undefined {
    if (clock === undefined) return undefined
    const told: unknown = typeof clock === 'function' ? clock() : undefined
    const now = told instanceof Date ? told.getTime() : Number.NaN
    if (typeof clock !== 'function')
      refuse(this, [problem('clock', 'has to be a function that gives a Date')])
    if (Number.isNaN(now))
      refuse(this, [problem('clock', `did not return a valid Date, but ${String(told)}`)])
    return now
  }

  #expand(config: RecurringMaintenanceWindowConfig): Occurrences {
    const found = occurrencesOf(config)
    if (typeof found === 'string') throw new DeclarationError(this, [problem('rrule', found)])
    return found
  }

  #windowFor(occurrence: Occurrence, config: RecurringMaintenanceWindowConfig): MaintenanceWindow {
    const { projectId, alertTypeNames, description, onRemove, provider } = config
    return new MaintenanceWindow(
      this,
      occurrence.startDate.replaceAll(/[-:]/g, ''),
      given({
        ...occurrence,
        projectId,
        // The list of a variable is a token, and a copy would be a list that contains a token.
        alertTypeNames: isKnown(alertTypeNames) ? [...alertTypeNames] : (alertTypeNames as string[]),
        description,
        onRemove,
        provider,
      }),
    )
  }
}

/** The properties of a window in a baseline, which supplies the project. */
export const WINDOW_RULE_SHAPE: Shape<WindowRule> = {
  alertTypeNames: needed(lateList),
  rrule: needed(text),
  timezone: needed(text),
  duration: needed(text),
  from: needed(text),
  until: needed(text),
  anchor: text,
  description: lateText,
  onRemove: lateText,
}
const SHAPE: Shape<RecurringMaintenanceWindowConfig> = {
  ...WINDOW_RULE_SHAPE,
  projectId: needed(lateText),
  clock: anything,
  provider: anything,
}

const checkWindow = (config: RecurringMaintenanceWindowConfig): Problem[] => {
  const found = checkShape('', config, SHAPE)
  if (found.length > 0) return found
  const { projectId, alertTypeNames, onRemove } = config
  return [
    ...checkId('projectId', projectId),
    ...(alertTypeNames.length === 0 ? [problem('alertTypeNames', 'at least one is needed')] : []),
    ...(isKnown(alertTypeNames) ? alertTypeNames : []).flatMap((name, index) =>
      checkOpenWord(`alertTypeNames[${index}]`, name),
    ),
    ...checkRecurrence(config),
    ...checkRemoval('onRemove', onRemove, REMOVALS.maintenance_window),
  ]
}

const skippedText = (construct: Construct, skipped: readonly string[], timezone: string): string =>
  `${construct.node.path}: no window at ${skipped.join(', ')}: ${leftOut(timezone)}`

const endedText = (construct: Construct, count: number, now: number, until: string): string =>
  `${construct.node.path}: clock: all ${count} windows had ended by ${formatInstant(now)}, so none is declared; to continue, move until, ${until}`
