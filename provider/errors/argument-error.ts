import { DeploymgmtError } from './deploymgmt-error.ts'

/** One argument that cannot be sent, and why. */
export interface ArgumentProblem {
  readonly argument: string
  readonly message: string
}

/** How a reader who gave the arguments knows them, and where that reader finds more. */
interface Door {
  readonly spell: (argument: string) => string
  readonly hint: string
}

/** Arguments of a data source that are missing, unknown, or have a value they cannot take; all of them at once. */
export class ArgumentError extends DeploymgmtError {
  static override readonly code = 'DM-ARGUMENT'
  static override readonly meaning =
    'An argument of a data source is missing, unknown, or has a value it cannot take. Nothing was sent.'
  static override readonly remedy =
    'Compare with the arguments on the data source’s page in docs/data-sources/.'

  readonly problems: readonly ArgumentProblem[]

  constructor(dataSource: string, problems: readonly ArgumentProblem[], door: Door = BY_NAME) {
    const lines = problems.map(({ argument, message }) => `${door.spell(argument)} ${message}`)
    super(
      lines.length === 1
        ? `${dataSource}: ${lines[0] ?? ''}`
        : `${dataSource}: ${String(lines.length)} arguments are wrong\n${lines.map((line) => `  ${line}`).join('\n')}`,
      { hint: door.hint },
    )
    this.problems = problems
  }
}

const BY_NAME: Door = { spell: (argument) => `${argument}:`, hint: ArgumentError.remedy }
