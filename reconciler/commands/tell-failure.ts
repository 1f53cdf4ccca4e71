import { CommanderError, type Command } from 'commander'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { UsageError } from '../errors/usage-error.ts'
import { FindingsError } from '../errors/findings-error.ts'
import { handOver, print, type Io } from '../io.ts'
import { formatOf, rendererOf } from '../render/formats.ts'
import { sayError, type Failure } from '../render/document/failure.ts'
import { writeOutput } from './output/output.ts'
import { PLAIN } from './output/report.ts'
import { tell } from './output/tell.ts'

/** Prints any failure as one clear message on stderr, and returns the exit code. */
export const tellFailure = async (
  io: Io,
  error: unknown,
  line: { readonly argv: readonly string[]; readonly program: Command },
): Promise<number> => {
  const { argv, program } = line
  // Requested help is no failure, and the help that replaces a missing command needs no further message.
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
    return handOver(io.stdout, '').then(
      () => error.exitCode,
      (unwritten: unknown) => tellFailure(io, unwritten, line),
    )
  // A closed pipe needs no message.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 1
  const ours = await inOurTerms(error, program, argv)
  const document = await documentOf(ours, argv, error instanceof CommanderError)
  // If stdout itself failed, the message on stderr must suffice.
  if (document !== undefined) await print(io.stdout, document).catch(() => undefined)
  await sayInFiles(io, ours)
  const width = io.stderr.columns
  await tell(io, ours instanceof FindingsError ? ours.render({ width }) : ours.describe())
  return ours.exitCode
}

/** Machines get a document for failures, too. */
const documentOf = async (
  error: DeploymgmtError,
  argv: readonly string[],
  neverCalled: boolean,
): Promise<string | undefined> => {
  const [command] = argv
  const format = formatIn(argv)
  if (format === undefined || command === 'serve') return undefined
  // An apply reports its own end; if the words could not be parsed, it was never called.
  if (command === 'apply')
    return neverCalled
      ? (await import('./run/apply-summary.ts')).refusalAs(format, error, { seconds: 0, requestsSent: 0 })
      : undefined
  if (formatOf('failure', format)?.for !== 'machine') return undefined
  const render = await rendererOf('failure', format)
  return render({ document: failureOf(error) }, PLAIN)
}

/**
 * Replaces an earlier report, which could be mistaken for the requested one. If that fails too, the message must
 * suffice.
 */
const sayInFiles = async (io: Io, error: DeploymgmtError): Promise<void> => {
  for (const [file, format] of io.unwritten) {
    if (formatOf('failure', format) === undefined) continue
    const render = await rendererOf('failure', format)
    const text = render({ document: failureOf(error) }, { ...PLAIN, now: io.now() }) ?? ''
    await writeOutput(io, file, text).catch(() => undefined)
  }
}

/** The last `--format` for stdout counts, even if the words as a whole could not be parsed. */
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
  if (error instanceof CommanderError) return (await import('./line/usage.ts')).usageOf(error, program, argv)
  if (error instanceof UsageError)
    return (await import('./line/usage.ts')).pointingToHelp(error, program, argv)
  if (error instanceof DeploymgmtError) return error
  const { InternalError } = await import('../errors/index.ts')
  return new InternalError(error)
}
