import type { Command } from 'commander'
import type { Io } from '../../io.ts'

export type Report = (code: number) => void

/** What a command is made of. */
export interface Given {
  /** The command itself, which has nothing but its name. */
  readonly command: Command
  readonly program: Command
  readonly io: Io
  readonly argv: readonly string[]
  readonly report: Report
  /** What stands behind `--`: another command. */
  readonly behind: readonly string[] | undefined
}
