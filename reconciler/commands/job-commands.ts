import { InvalidArgumentError, Option, type Command } from 'commander'
import { common, names, repeated, reporting, type CommonFlag, OF_STATE } from './line/flags.ts'
import type { Given } from './line/given.ts'
import { refuseInFront } from './line/in-front.ts'
import { period } from './line/period.ts'
import { format } from './line/format-flag.ts'

/** Flags that determine where silences are recorded: the state, the manifest and the service. */
const CHANGING: readonly CommonFlag[] = [...OF_STATE, 'lockTimeout', 'trace']

/** Adds the commands for silences around a deployment. */
export const addSilence = ({ command, program, io, argv, report, afterDashes }: Given): void => {
  // Silences have subcommands with their own flags: what follows a subcommand belongs to it.
  if (argv[0] === 'silence') program.enablePositionalOptions()
  const silence = common(
    command
      .description('open a maintenance window, run a command within it, and end it')
      .usage('[options] [-- COMMAND...]')
      .enablePositionalOptions()
      .hook('preSubcommand', refuseInFront)
      .allowExcessArguments(),
    CHANGING,
  )
    .option('--project <PROJECT>', 'the project, by its name in the manifest or by its id', oneProject)
    .addOption(
      repeated('--types <TYPES>', 'alert types to silence, such as HOST,REPLICA_SET', 'none').argParser(
        names,
      ),
    )
    .option('--max <PERIOD>', 'how long until the window ends by itself: 90s, 30m, 2h, at most 7d', period)
    .option('--reason <TEXT>', 'the description of the window')
    .option('--best-effort', 'run the command even if it is not known whether the window was opened')
    .addOption(format('done'))
    .action(async (o, { args }: Command) =>
      report(await (await import('./silence/silence.ts')).silence(io, o, { loose: args, afterDashes })),
    )
  // Words without `--` are reported together.
  if (argv[0] === 'silence') silence.passThroughOptions()
  reporting(
    common(silence.command('list').description('list what is silenced, by the clock of the service'), [
      ...OF_STATE,
      'trace',
    ]),
    'silences',
  ).action(async (o) => report(await (await import('./silence/list.ts')).silenceList(io, o)))
  common(
    silence.command('end [ID...]').description('end silences now; without an ID, the only one'),
    CHANGING,
  )
    .option('--everything', 'end all that are recorded')
    .addOption(format('done'))
    .action(async (ids, o) => report(await (await import('./silence/end.ts')).silenceEnd(io, o, ids)))
}

/** A silence is one window, which is in one project: alerts of a second project would not be silenced. */
const oneProject = (given: string, before?: string): string => {
  if (before === undefined) return given
  throw new InvalidArgumentError(
    `A silence covers one project. Nest one command in the other: deploymgmt silence --project ${before} … -- deploymgmt silence --project ${given} … -- COMMAND.`,
  )
}

const OF_WAITING: readonly CommonFlag[] = [
  'file',
  'var',
  'varFile',
  'concurrency',
  'local',
  'quiet',
  'allowHttp',
  'trace',
  'color',
]

/** Adds the command that waits for the results of a deployment. */
export const addWait = ({ command: wait, io, report }: Given): void => {
  wait.description('wait for a project to reach its goal')
  for (const [name, what, flag, goal] of WAITS) {
    const command = common(wait.command(name).description(what), OF_WAITING)
      .addOption(
        repeated('--project <PROJECT>', 'a project, by its name in the manifest or by its id', 'none'),
      )
      .addOption(
        new Option('--timeout <PERIOD>', 'how long to wait before exiting with 2: 90s, 30m, 2h')
          .argParser(period)
          .default(600_000, '10m'),
      )
      .addOption(repeated('--except <NAME>', 'what need not meet the goal: a host, a type or an id', 'none'))
    if (flag !== undefined) command.option(flag, goal)
    reporting(command, 'waited').action(async (o) =>
      report(await (await import('./wait/wait.ts')).wait(io, o, name)),
    )
  }
}

/** The conditions to wait for; a flag spells out what a condition means by default. */
const WAITS = [
  ['automation', 'wait until every process has reached the goal version'],
  ['alerts', 'wait until no alert is open', '--none-open', 'wait until no alert is open (the default)'],
  [
    'agents',
    'wait until every agent is active or on standby',
    '--active',
    'wait until they are active (the default)',
  ],
] as const
