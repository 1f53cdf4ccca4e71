/** One step on the way to a value: what says it, and where. */
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
  /** What is referred to: `var.day`, `projects.payments.id`. */
  readonly name?: string
  /** `FILE:LINE:COLUMN`; none of what no file says. */
  readonly at?: string
  /** It is referred to beside the one before, and not by it. */
  readonly beside?: true
  /** A project that is left out. */
  readonly excluded?: true
}
