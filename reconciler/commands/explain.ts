import { CommanderError } from 'commander'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { print, type Io } from '../io.ts'
import { toJson } from '../text/json.ts'

/** Makes one clear message on stderr of whatever failed, and answers the exit code. */
export const explain = async (io: Io, error: unknown, argv: readonly string[]): Promise<number> => {
  // Help that was asked for is no failure, and help in the place of a missing command says all there is to say.
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
    return error.exitCode
  // A reader that went away (a closed pipe) needs no message.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 1
  const ours = await inOurTerms(error)
  const document = await documentOf(ours, argv, error instanceof CommanderError)
  // Where stdout is what failed, the message on stderr has to do.
  if (document !== undefined) await print(io.stdout, document).catch(() => undefined)
  await print(io.stderr, ours.describe())
  return ours.exitCode
}

/** Whoever reads JSON finds a document when something fails, too. */
const documentOf = async (
  error: DeploymgmtError,
  argv: readonly string[],
  neverCalled: boolean,
): Promise<string | undefined> => {
  if (!saysJson(argv) || argv[0] === 'serve') return undefined
  if (argv[0] !== 'apply') return errorDocument(error)
  // An apply says itself how it ended; words that it was never called with cannot.
  return neverCalled ? toJson((await import('./apply-report.ts')).refusedSummary(error, 0)) : undefined
}

const saysJson = (argv: readonly string[]): boolean =>
  argv.some((word, index) => word === '--format=json' || (word === '--format' && argv[index + 1] === 'json'))

const errorDocument = (error: DeploymgmtError): string => {
  const { code, message, where, hint } = error
  const findings = 'findings' in error ? { findings: error.findings } : {}
  return toJson({ formatVersion: 1, error: { code, message, where, hint, ...findings } }, { indent: 2 })
}

const inOurTerms = async (error: unknown): Promise<DeploymgmtError> => {
  if (error instanceof DeploymgmtError) return error
  const { InternalError, UsageError } = await import('../errors/index.ts')
  return error instanceof CommanderError ? new UsageError(wordsOf(error)) : new InternalError(error)
}

/** What the library says, as one sentence: `unknown command 'plna'; did you mean plan?`. */
const wordsOf = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.+)\)$/s, '; did you mean $1')
    .trim()
