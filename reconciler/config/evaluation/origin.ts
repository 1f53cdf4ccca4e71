/** One step on the way to a value: its source, and the location. */
export interface Origin {
  readonly is:
    | 'declared'
    | 'defaults'
    | 'project'
    | 'variable'
    | 'entry'
    | 'command-line'
    | 'environment'
    | 'field-default'
  /** The reference: `var.day`, `projects.payments.id`. */
  readonly name?: string
  /** `FILE:LINE:COLUMN`; absent if the value is in no file. */
  readonly at?: string
  /** Set if it is referred to beside the previous step, not by it. */
  readonly beside?: true
  /** Set for an excluded project. */
  readonly excluded?: true
}
