import { Option, type Command } from 'commander'
import type { Io } from '../io.ts'
import { common, names, period, reporting, type CommonFlag } from './flags.ts'
import { format } from './format-flag.ts'

/** What tells where silences are recorded: beside which state, of which manifest and service. */
const OF_SILENCES: readonly CommonFlag[] = ['file', 'var', 'state', 'local', 'allowHttp', 'color']
const CHANGING: readonly CommonFlag[] = [...OF_SILENCES, 'lockTimeout']

interface Given {
  readonly io: Io
  readonly argv: readonly string[]
  readonly report: (code: number) => void
  /** The command that stands behind `--`. */
  readonly behind: readonly string[] | undefined
}

/** The jobs around a deployment. */
export const addJobCommands = (program: Command, { io, argv, report, behind }: Given): void => {
  // Silences have commands and flags of their own: what stands behind a command is the command's.
  if (argv[0] === 'silence') program.enablePositionalOptions()
  const silence = common(
    program
      .command('silence')
      .description('open a maintenance window, run a command within it, and end it')
      .usage('[options] [-- COMMAND...]')
      .enablePositionalOptions(),
    CHANGING,
  )
    .option('--project <PROJECT>', 'the project, by its name in the manifest or by its id')
    .addOption(
      new Option('--types <TYPES>', 'alert types to silence, such as HOST,REPLICA_SET; can be repeated')
        .argParser(names)
        .default([], 'none'),
    )
    .option('--max <PERIOD>', 'the window ends by itself after so long: 90s, 30m, 2h, at most 24h', period)
    .option('--reason <TEXT>', 'the description of the window')
    .option('--best-effort', 'run the command also where it is not known whether the window is there')
    .addOption(format('done'))
    .action(async (o) => report(await (await import('./silence.ts')).silence(io, o, behind)))
  reporting(
    common(silence.command('list').description('list what is silenced; sends nothing'), OF_SILENCES),
    'silences',
  ).action(async (o) => report(await (await import('./silence-list.ts')).silenceList(io, o)))
  common(silence.command('end [ID...]').description('end silences now; without an ID the only one'), CHANGING)
    .option('--everything', 'all that are recorded')
    .addOption(format('done'))
    .action(async (ids, o) => report(await (await import('./silence-end.ts')).silenceEnd(io, o, ids)))
}
