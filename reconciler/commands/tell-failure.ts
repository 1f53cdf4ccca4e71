import { CommanderError, type Command } from 'commander'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { FindingsError } from '../errors/findings-error.ts'
import { handOver, print, type Io } from '../io.ts'
import { formatOf, rendererOf } from '../render/formats.ts'
import { sayError, type Failure } from '../render/document/failure.ts'
import { writeOutput } from './output/output.ts'
import { PLAIN } from './output/report.ts'
import { tell } from './output/tell.ts'

/** Makes one clear message on stderr of whatever failed, and answers the exit code. */
export const tellFailure = async (
  io: Io,
  error: unknown,
  line: { readonly argv: readonly string[]; readonly program: Command },
): Promise<number> => {
  const { argv, program } = line
  // Help that was asked for is no failure, and help in the place of a missing command says all there is to say.
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
    return handOver(io.stdout, '').then(
      () => error.exitCode,
      (unwritten: unknown) => tellFailure(io, unwritten, line),
    )
  // A reader that went away (a closed pipe) needs no message.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 1
  const ours = await inOurTerms(error, program, argv)
  const document = await documentOf(ours, argv, error instanceof CommanderError)
  // Where stdout is what failed, the message on stderr has to do.
  if (document !== undefined) await print(io.stdout, document).catch(() => undefined)
  await sayInFiles(io, ours)
  await tell(io, ours.describe())
  return ours.exitCode
}

/** A machine finds a document when something fails, too. */
const documentOf = async (
  error: DeploymgmtError,
  argv: readonly string[],
  neverCalled: boolean,
): Promise<string | undefined> => {
  const [command] = argv
  const format = formatIn(argv)
  if (format === undefined || command === 'serve') return undefined
  // An apply says itself how it ended; words that it was never called with cannot.
  if (command === 'apply')
    return neverCalled
      ? (await import('./run/apply-summary.ts')).refusalAs(format, error, { seconds: 0, requestsSent: 0 })
      : undefined
  if (formatOf('failure', format)?.for !== 'machine') return undefined
  const render = await rendererOf('failure', format)
  return render({ document: failureOf(error) }, PLAIN)
}

/** An earlier report is not to be taken for the one that was asked for. What cannot be written either, the message has to do for. */
const sayInFiles = async (io: Io, error: DeploymgmtError): Promise<void> => {
  for (const [file, format] of io.unwritten) {
    if (formatOf('failure', format) === undefined) continue
    const render = await rendererOf('failure', format)
    const text = render({ document: failureOf(error) }, { ...PLAIN, now: io.now() }) ?? ''
    await writeOutput(io, file, text).catch(() => undefined)
  }
}

/** What was asked for last on stdout counts, also where the words as a whole could not be read. */
const formatIn = (argv: readonly string[]): string | undefined =>
  argv
    .flatMap((word, index) => {
      if (word === '--format') return argv[index + 1] ?? []
      return word.startsWith('--format=') ? word.slice('--format='.length) : []
    })
    .findLast((asked) => !asked.includes('='))

const failureOf = (error: DeploymgmtError): Failure => ({
  formatVersion: 1,
  error: { ...sayError(error), ...(error instanceof FindingsError ? { findings: error.findings } : {}) },
})

const inOurTerms = async (
  error: unknown,
  program: Command,
  argv: readonly string[],
): Promise<DeploymgmtError> => {
  if (error instanceof DeploymgmtError) return error
  if (error instanceof CommanderError) return (await import('./line/usage.ts')).usageOf(error, program, argv)
  const { InternalError } = await import('../errors/index.ts')
  return new InternalError(error)
}
