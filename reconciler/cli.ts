import { Argument, Command, Option } from 'commander'
import {
  acceptedFile,
  adopted,
  ALL_COMMON,
  names,
  common,
  OF_STATE,
  output,
  pendingFor,
  planFile,
  portNumber,
  repeated,
  reporting,
  sha256Digest,
  streaming,
  writingManifest,
} from './commands/line/flags.ts'
import { TEMPLATES } from './commands/init/templates.ts'
import { format, partFormats, reportFiles } from './commands/line/format-flag.ts'
import type { Given, Report } from './commands/line/given.ts'
import { refuseInFront } from './commands/line/in-front.ts'
import { refuseTwice } from './commands/line/once.ts'
import { SHELLS } from './commands/line/shells.ts'
import { addSilence, addWait } from './commands/job-commands.ts'
import { ALLOW_FLAGS } from './commands/line/options.ts'
import { period } from './commands/line/period.ts'
import { addStateCommands } from './commands/state-commands.ts'
import { asParsed, splitAtDashes } from './commands/words-given.ts'
import { concealingIo, type Io, type ProcessIo } from './io.ts'
import { VERSION } from './version.ts'

/** Runs one command and returns its exit code; any failure becomes one clear message on stderr. */
export const run = async (given: readonly string[], plain: ProcessIo): Promise<number> => {
  const io = await concealingIo(plain)
  const { words: argv, afterDashes } = splitAtDashes(given)
  let code = 0
  const report: Report = (result) => {
    code = result
  }
  const program = await programFor(io, argv, report, afterDashes)
  let words = argv
  try {
    words = await asParsed(program, argv)
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    return (await import('./commands/tell-failure.ts')).tellFailure(io, error, { argv: words, program })
  }
}

/** The command line; the docs are generated from it. A command is loaded when it runs. */
export const programFor = async (
  io: Io,
  argv: readonly string[],
  report: Report,
  afterDashes?: readonly string[],
): Promise<Command> => {
  const program = new Command('deploymgmt')
    .description('Declare a database deployment-management installation in code: plan, apply and find drift.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors in the words are thrown, and reported like all others.
      outputError: () => undefined,
    })
    .addHelpText('after', MORE_HELP)
    .hook('preAction', async (_, command) => {
      partFormats(command)
      const { output: into, out, files } = command.opts()
      // `-` means stdout, as usual, which is where data goes anyway.
      if (into === '-') command.setOptionValue('output', undefined)
      const isTraced = Boolean(io.env['DEPLOYMGMT_TRACE'])
      if (isTraced || into !== undefined || out !== undefined || files !== undefined)
        await (await import('./commands/inputs.ts')).refuseOverInputs(io, command.opts(), fileGiven(command))
      // After the checks, when the files are known not to be in use otherwise.
      for (const [file, as] of reportFiles(command)) io.unwritten.set(file, as)
    })
  // What follows a subcommand is the subcommand's, although both have the same flags.
  if (argv[0] === 'drift' && argv.includes('accept')) program.enablePositionalOptions()
  for (const [name, add] of wanted(argv))
    await add({ command: program.command(name), program, io, argv, report, afterDashes })
  refuseTwice(program)
  return program
}

/** The first word, if it is the name of a file and not, for example, an address. */
const fileGiven = ({ registeredArguments: [first], args: [word] }: Command): string | undefined =>
  first?.name().endsWith('FILE') === true ? word : undefined

type Adding = (given: Given) => void | Promise<void>

/** The command that is run; all of them for help, completion, and unknown words. */
const wanted = ([first = '']: readonly string[]): Iterable<readonly [string, Adding]> => {
  const one = first === 'completion' ? undefined : COMMANDS.get(first)
  return one === undefined ? COMMANDS : [[first, one]]
}

const MORE_HELP = `
Environment:
  DEPLOYMGMT_BASE_URL          address of the service, with /api/public/v1.0
  DEPLOYMGMT_PUBLIC_KEY        public half of the API key
  DEPLOYMGMT_PRIVATE_KEY       private half; or DEPLOYMGMT_PRIVATE_KEY_FILE
  DEPLOYMGMT_CA_FILE           a further certificate authority to trust
  DEPLOYMGMT_TRACE             a file to log each request to, as --trace does
  DEPLOYMGMT_STATE             where the state is; overrides the manifest
  DEPLOYMGMT_STATE_USERNAME    user for a state behind http, with
  DEPLOYMGMT_STATE_PASSWORD    its password or token
  PGUSER, PGPASSWORD, …        for a state in Postgres, as for psql

Exit codes:
  0 done    1 error    2 known differences remain    130 interrupted
  3 the outcome of an earlier request, or what this key made, is not known`

/** The marks of changes; an apply has words beside them. */
const MARKS_HELP = `
Marks:
  + create    > adopt    ~ change    → rename    - delete   < no longer declared
  ! blocked   · expired  ? not verifiable`

/** Reading needs no lock. */
const READING = ALL_COMMON.filter((flag) => flag !== 'lockTimeout')

const initCommand = ({ command, io, report }: Given): void => {
  writingManifest(
    common(command.description('write a commented starter manifest and an empty state'), [
      'file',
      'state',
      'local',
      'allowHttp',
    ]),
  )
    .option('--name <NAME>', 'the name of the manifest and its state (default: that of the folder)')
    .option('--template <NAME>', `the language of the starter: ${TEMPLATES.join(' or ')}`)
    .action(async (o) => report(await (await import('./commands/init/init.ts')).init(io, o)))
}

const validateCommand = ({ command, io, report }: Given): void => {
  reporting(
    common(command.description('check manifests, offline'), ['file', 'var', 'varFile', 'color']),
    'validation',
  ).action(async (o) => report(await (await import('./commands/validate.ts')).validate(io, o)))
}

const planCommand = ({ command, io, report }: Given): void => {
  reporting(
    common(
      command
        .argument('[PLANFILE]', 'a saved plan to show')
        .description('compare what is declared with what is live and recorded; read-only'),
      READING,
    ),
    'plan',
  )
    .option('--out <FILE>', 'save the plan', planFile)
    .option('--detailed-exitcode', 'exit with 2 when there is something to do')
    .option(
      '--explain <ADDRESS>',
      'show the file, line and column that each value comes from, for an entry or for one of the things that it stands for',
    )
    .addHelpText('after', MARKS_HELP)
    .action(async (file, o) => report(await (await import('./commands/plan/plan.ts')).plan(io, o, file)))
}

const applyCommand = ({ command, io, report }: Given): void => {
  const apply = streaming(
    common(command.argument('[PLANFILE]', 'a saved plan').description('plan, show the plan, ask, and apply')),
    'apply',
  )
    .option('--auto-approve', 'do not ask')
    .option(
      '--expect-sha256 <DIGEST>',
      'refuse a saved plan other than the one that was approved',
      sha256Digest,
    )
  for (const [flag, what] of Object.values(ALLOW_FLAGS)) apply.option(flag, what)
  apply.addHelpText('after', MARKS_HELP)
  apply.action(async (file, o) => report(await (await import('./commands/apply.ts')).apply(io, o, file)))
}

const driftCommand = ({ command, io, report }: Given): void => {
  const drift = reporting(
    common(
      command.description(
        'compare what is live with what was last applied: what changed outside, and who changed it',
      ),
      READING,
    ),
    'drift',
  )
    .enablePositionalOptions()
    .hook('preSubcommand', refuseInFront)
    .addOption(acceptedFile())
    .addOption(pendingFor())
    .addOption(
      new Option(
        '--unmanaged <WHAT>',
        'what to do about things that nobody declares: list them, fail with exit code 2, or do not look',
      )
        .choices(['report', 'fail', 'off'])
        .default('report'),
    )
    .action(async (o) => report(await (await import('./commands/drift/drift.ts')).drift(io, o)))
  acceptCommand(drift, io, report)
}

const acceptCommand = (drift: Command, io: Io, report: Report): void => {
  reporting(
    common(
      drift
        .command('accept')
        .argument('[ADDRESS]', 'what has drifted, or one field of it: ADDRESS.FIELD')
        .description('record a drift as accepted, as it is now'),
      [...OF_STATE, 'concurrency', 'all'],
    ),
    'done',
  )
    .requiredOption('--reason <TEXT>', 'why it is accepted')
    .option('--until <DATE>', 'the last day or instant on which it is accepted')
    .option('--baseline', 'accept everything that has drifted')
    .addOption(acceptedFile())
    .action(async (address, o) =>
      report(await (await import('./commands/drift/accept.ts')).driftAccept(io, o, address)),
    )
}

const getCommand = async (given: Given): Promise<void> => {
  const { command, argv } = given
  command.description('read a data source').usage('NAME [options]')
  // There are many definitions, so they are loaded only on demand.
  if (argv.includes('get') || argv[0] === 'completion')
    (await import('./commands/get/commands.ts')).addDataSources(given)
}

const adoptCommand = ({ command, io, report }: Given): void => {
  common(
    command.description('write manifests for what exists and is not declared; with --state, record it too'),
    ['file', 'var', 'varFile', 'state', 'lockTimeout', 'concurrency', 'local', 'allowHttp', 'trace'],
  )
    .addOption(format('done'))
    .addOption(adopted())
    .addOption(onlyProjects())
    .option(
      '--split',
      'write a complete file for each project, and a common one for what belongs to organizations; with --policy, the file of a project has only what no other project has',
    )
    .addOption(
      repeated(
        '--except <ADDRESS>',
        "what to leave out, such as 'users.*'; * stands for anything",
        'nothing',
      ),
    )
    .option(
      '--policy',
      'write one entry, with exceptions, for what projects have in common: the default without --split',
    )
    .option('--no-policy', 'write separate entries for each project: the default with --split')
    .option('--again', 'also write what is recorded, but no longer declared by any manifest')
    .action(async (o) => report(await (await import('./commands/adopt/adopt.ts')).adopt(io, o)))
}

const onlyProjects = (): Option =>
  repeated(
    '--project <PROJECT>',
    'only this project, with its organization; by its name in the manifest, where * stands for anything, or by its id',
    'all',
  )

const inventoryCommand = ({ command, io, report }: Given): void => {
  reporting(
    common(command.description('read everything that can be listed, for all named projects'), [
      'file',
      'var',
      'varFile',
      'concurrency',
      'local',
      'allowHttp',
      'trace',
      'color',
    ]),
    'inventory',
  )
    .addOption(
      repeated('--only <NAMES>', 'only these data sources, such as alerts,agents', 'all').argParser(names),
    )
    .addOption(onlyProjects())
    .option('--watch', 'keep showing alerts and automation until interrupted')
    .addOption(
      new Option('--every <PERIOD>', 'how long --watch waits before it reads again')
        .argParser(period)
        .default(10_000, '10s'),
    )
    .action(async (o) => report(await (await import('./commands/inventory/inventory.ts')).inventory(io, o)))
}

const serveCommand = ({ command, io, report }: Given): void => {
  command
    .description('run the embedded service')
    .option('--host <HOST>', 'where to listen', '127.0.0.1')
    .option('--port <PORT>', 'which port; 0 picks a free one', portNumber, 0)
    .option('--data <FILE>', 'keep the data in this file')
    .option('--fixture <FILE>', 'what the service holds at the start')
    .addOption(repeated('--set <KEY=VALUE>', 'a setting', 'none'))
    .option('--control', 'offer /_control/')
    .option(
      '--allow-remote',
      'allow a host that other machines can reach: anybody who can reach it can try out keys',
    )
    .addOption(format('ready', 'how to announce that it is ready'))
    .action(async (o) => report(await (await import('./commands/serve.ts')).serve(io, o)))
}

const schemaCommand = ({ command, io, report }: Given): void => {
  command
    .addArgument(
      new Argument('[DOCUMENT]', 'a manifest, or what the command prints with --format json')
        .choices(['manifest', 'plan', 'apply', 'drift'])
        .default('manifest'),
    )
    .description('print the JSON Schema of a manifest, a plan, an apply event or a drift report')
    .addOption(output('write to a file'))
    .action(async (of, o) => report(await (await import('./commands/schema.ts')).schema(io, o, of)))
}

const completionCommand = ({ command, program, io, report }: Given): void => {
  command
    .addArgument(Object.assign(new Argument('<SHELL>', 'the shell'), { argChoices: [...SHELLS] }))
    .description('print a completion script for bash, zsh or fish')
    .action(async (shell) =>
      report(await (await import('./commands/completion.ts')).completion(io, program, shell)),
    )
}

/** By name, in the order of the help. */
const COMMANDS: ReadonlyMap<string, Adding> = new Map<string, Adding>([
  ['init', initCommand],
  ['validate', validateCommand],
  ['plan', planCommand],
  ['apply', applyCommand],
  ['drift', driftCommand],
  ['state', addStateCommands],
  ['get', getCommand],
  ['silence', addSilence],
  ['wait', addWait],
  ['adopt', adoptCommand],
  ['inventory', inventoryCommand],
  ['serve', serveCommand],
  ['schema', schemaCommand],
  ['completion', completionCommand],
])
