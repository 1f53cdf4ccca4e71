import { DeploymgmtError } from './deploymgmt-error.ts'

/** How a door tells whoever gave the arguments. */
export interface ArgumentWords<P> {
  /** One line about a problem, which names the argument as the door spells it. */
  readonly says: (problem: P) => string
  readonly hint: string
}

/** Arguments of a data source that are missing, unknown, or have a value they cannot take; all of them at once. */
export class ArgumentError<P = unknown> extends DeploymgmtError {
  static override readonly code = 'DM-ARGUMENT'
  static override readonly meaning =
    'An argument of a data source is missing or unknown, or its value is not allowed. Nothing was sent.'
  static override readonly remedy = 'See the arguments on the data source’s page in docs/get/.'

  /** As codes with their facts. */
  readonly problems: readonly P[]

  constructor(dataSource: string, problems: readonly P[], { says, hint }: ArgumentWords<P>) {
    const lines = problems.map(says)
    super(
      lines.length === 1
        ? `${dataSource}: ${lines[0] ?? ''}`
        : `${dataSource}: ${String(lines.length)} arguments are wrong\n${lines.map((line) => `  ${line}`).join('\n')}`,
      { hint },
    )
    this.problems = problems
  }
}
