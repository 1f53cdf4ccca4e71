import { run } from './cli.ts'
import { UsageError } from './errors/usage-error.ts'
import { processIo } from './io.ts'

// Started by an older Node (see bin/): if that one is killed, this process must not live on as an orphan.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
if (process.env['DEPLOYMGMT_OWN_NODE'] === '1') process.channel?.unref()

/** Node's exit code for a module that waits for something that never happens: no success. */
const neverEnded = (): void => void (process.exitCode ||= 13)

const main = async (): Promise<void> => {
  process.once('exit', neverEnded)
  process.exitCode = await run(process.argv.slice(2), processIo()).finally(() =>
    process.off('exit', neverEnded),
  )
}

/** The environment is not set up yet, so the error is written directly. */
const refuse = (error: unknown): void => {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.describe()}\n`)
  process.exitCode = error.exitCode
}

void main().catch(refuse)
