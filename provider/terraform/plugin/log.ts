/** The provider's log: JSON lines on stderr, which Terraform shows by the level in `TF_LOG`. */

type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'

/** Facts in addition to the message. They are never secret, because Terraform writes them to files. */
type LogFields = Readonly<Record<string, string | number | boolean>>

export type Logger = { readonly [L in LogLevel]: (message: string, fields?: LogFields) => void }

/** What the logger needs of the process. */
interface LogOutput {
  readonly write: (text: string) => unknown
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether `trace` and `debug` are written: otherwise Terraform would read thousands of lines just to drop them. */
  readonly verbose: boolean
}

/** Whether Terraform was asked for the logs of its providers. */
export const wantsLogs = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const level = env['TF_LOG_PROVIDER'] ?? env['TF_LOG'] ?? ''
  return level !== '' && level.toLowerCase() !== 'off'
}

export const createLogger = ({ write, now, verbose }: LogOutput): Logger => {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      write(
        `${JSON.stringify({ ...fields, '@level': level, '@message': message, '@timestamp': timestamp(now()) })}\n`,
      )
    }
  const atLength = (level: LogLevel): Logger[LogLevel] => (verbose ? at(level) : () => undefined)
  return {
    trace: atLength('trace'),
    debug: atLength('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}

/** Terraform takes a line for plain text unless its time has exactly six fractional digits. */
const timestamp = (now: number): string => new Date(now).toISOString().replace('Z', '000Z')
