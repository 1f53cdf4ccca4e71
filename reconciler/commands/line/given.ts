import type { Command } from 'commander'
import type { Io } from '../../io.ts'

export type Report = (code: number) => void

/** What the setup of a command is given. */
export interface Given {
  /** The command, with nothing but its name. */
  readonly command: Command
  readonly program: Command
  readonly io: Io
  readonly argv: readonly string[]
  readonly report: Report
  /** The words after `--`: another command. */
  readonly afterDashes: readonly string[] | undefined
}
