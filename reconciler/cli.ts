import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { ALLOW_FLAGS, DEFAULT_STATE, refuseOverInputs, type CommonOptions } from './commands/options.ts'
import { DEFAULT_MANIFEST } from './config/files.ts'
import type { Io } from './io.ts'
import { print } from './io.ts'
import { VERSION } from './version.ts'

/** Runs one command and answers its exit code; whatever fails becomes one clear message on stderr. */
export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  let code = 0
  const program = await programFor(io, argv, (result) => {
    code = result
  })
  try {
    await program.parseAsync(asKnown(argv), { from: 'user' })
    return code
  } catch (error) {
    return explain(io, error, argv)
  }
}

/**
 * `help state resolve` as `state resolve --help`, since the library's own help command looks one level deep; and
 * the name of a data source with hyphens, as its flags have them, by its own name.
 */
const asKnown = (argv: readonly string[]): string[] => {
  const [first, second = '', ...rest] = argv
  if (first === 'help' && rest.length > 0) return asKnown([second, ...rest, '--help'])
  return first === 'get' && /^\w/.test(second) ? [first, second.replaceAll('-', '_'), ...rest] : [...argv]
}

/** Whoever reads JSON finds a document when something fails, too; an apply ends with a summary that says so. */
const wantsJson = (argv: readonly string[]): boolean =>
  saysJson(argv) && !['apply', 'serve'].includes(argv[0] ?? '')

const saysJson = (argv: readonly string[]): boolean =>
  argv.some((word, index) => word === '--format=json' || (word === '--format' && argv[index + 1] === 'json'))

const refusedLine = async (error: DeploymgmtError): Promise<string> => {
  const { refusedSummary } = await import('./commands/apply-report.ts')
  const { toJsonLine } = await import('./render/index.ts')
  return toJsonLine(refusedSummary(error, 0)).trimEnd()
}

const errorDocument = async (error: DeploymgmtError): Promise<string> => {
  const { toJson } = await import('./render/index.ts')
  const { code, message, where, hint } = error
  const findings = 'findings' in error ? { findings: error.findings } : {}
  return toJson({ formatVersion: 1, error: { code, message, where, hint, ...findings } }, { indent: 2 })
}

const explain = async (io: Io, error: unknown, argv: readonly string[]): Promise<number> => {
  // Help that was asked for is no failure, and help in the place of a missing command says all there is to say.
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
    return error.exitCode
  // A reader that went away (a closed pipe) needs no message.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 1
  const ours = await inOurTerms(error)
  // Where stdout is what failed, the message on stderr has to do.
  if (wantsJson(argv)) await print(io.stdout, await errorDocument(ours)).catch(() => undefined)
  // An apply says itself how it ended; words that it was never called with cannot.
  else if (error instanceof CommanderError && argv[0] === 'apply' && saysJson(argv))
    await print(io.stdout, await refusedLine(ours)).catch(() => undefined)
  await print(io.stderr, ours.describe())
  return ours.exitCode
}

const inOurTerms = async (error: unknown): Promise<DeploymgmtError> => {
  if (error instanceof DeploymgmtError) return error
  const { InternalError } = await import('./errors/index.ts')
  return error instanceof CommanderError ? usage(wordsOf(error)) : new InternalError(error)
}

/** What the library says, as one sentence: `unknown command 'plna'; did you mean plan?`. */
const wordsOf = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.+)\)$/s, '; did you mean $1')
    .trim()

type Report = (code: number) => void

/** The command line itself; docs are made from it. */
export const programFor = async (io: Io, argv: readonly string[], report: Report): Promise<Command> => {
  const program = new Command('deploymgmt')
    .description('Declare a database deployment-management installation in code: plan, apply and find drift.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // What is wrong with the words is thrown too, and told as every other error is.
      outputError: () => undefined,
    })
    .addHelpText('after', MORE_HELP)
    .hook('preAction', (_, command) => {
      refuseOverInputs(io.cwd, command.opts())
    })
  mainCommands(program, io, report)
  stateCommands(program, io, report)
  await getCommands(program, io, argv, report)
  otherCommands(program, io, report)
  return program
}

const MORE_HELP = `
Environment:
  DEPLOYMGMT_BASE_URL          address of the service, ends with /api/public/v1.0
  DEPLOYMGMT_PUBLIC_KEY        public half of the API key
  DEPLOYMGMT_PRIVATE_KEY       private half; or DEPLOYMGMT_PRIVATE_KEY_FILE
  DEPLOYMGMT_CA_FILE           a certificate authority to trust besides the known ones

Exit codes:
  0 done    1 error    2 known differences remain
  3 the outcome of an earlier request is unknown    130 interrupted`

const mainCommands = (program: Command, io: Io, report: Report): void => {
  common(program.command('init').description('write a commented starter manifest and an empty state'))
    .option('--template <NAME>', 'the language of the starter: yaml or typescript')
    .action(async (options: CommonOptions) =>
      report(await (await import('./commands/init.ts')).init(io, options)),
    )
  formatted(common(program.command('validate').description('check manifests, offline'))).action(
    async (options: CommonOptions) =>
      report(await (await import('./commands/validate.ts')).validate(io, options)),
  )
  formatted(
    common(
      program
        .command('plan')
        .argument('[PLANFILE]', 'a saved plan to show')
        .description('compare declared with live and recorded; sends reads alone'),
    ),
  )
    .option('--out <FILE>', 'save the plan')
    .option('--detailed-exitcode', 'exit with 2 when there is something to do')
    .action(async (file: string | undefined, options: CommonOptions) =>
      report(await (await import('./commands/plan.ts')).plan(io, options, file)),
    )
  const apply = formatted(
    common(
      program
        .command('apply')
        .argument('[PLANFILE]', 'a saved plan')
        .description('plan, show, ask, and apply'),
    ),
  ).option('--auto-approve', 'do not ask')
  for (const [flag, what] of Object.entries(ALLOW_HELP)) apply.option(flag, what)
  apply.action(async (file: string | undefined, options: CommonOptions) =>
    report(await (await import('./commands/apply.ts')).apply(io, options, file)),
  )
  formatted(
    common(
      program
        .command('drift')
        .description('compare live with what was last applied: what changed outside, and who did it'),
    ),
    ['text', 'json', 'markdown', 'html', 'junit', 'sarif'],
  ).action(async (options: CommonOptions) =>
    report(await (await import('./commands/drift.ts')).drift(io, options)),
  )
}

const ALLOW_HELP: Record<(typeof ALLOW_FLAGS)[keyof typeof ALLOW_FLAGS], string> = {
  '--allow-delete': 'allow deletions that follow from an only-list',
  '--allow-mass-removal': 'allow removing more than 30 % of a kind',
  '--allow-owner-removal': 'allow taking ORG_OWNER from the calling key or the last owner',
  '--allow-role-removal': 'allow writing roles over roles of other scopes',
  '--allow-overwrite': 'allow overwriting what changed after the plan was shown',
}

const loadState = () => import('./commands/state.ts')
const loadStateChange = () => import('./commands/state-change.ts')

const stateCommands = (program: Command, io: Io, report: Report): void => {
  const state = program.command('state').description('look at and mend what is recorded')
  const shows = (spec: string, what: string) => formatted(common(state.command(spec).description(what)))
  // What these say is no data.
  const on = (spec: string, what: string) => inFormat(common(state.command(spec).description(what)))
  on('init', 'write an empty state for this manifest and service').action(async (o: CommonOptions) =>
    report(await (await loadState()).stateInit(io, o)),
  )
  shows('list', 'list the recorded addresses').action(async (o: CommonOptions) =>
    report(await (await loadState()).stateList(io, o)),
  )
  shows('show <ADDRESS>', 'show one record').action(async (a: string, o: CommonOptions) =>
    report(await (await loadState()).stateShow(io, o, a)),
  )
  on('mv <OLD> <NEW>', 'give a record another address').action(
    async (a: string, b: string, o: CommonOptions) =>
      report(await (await loadStateChange()).stateMove(io, o, a, b)),
  )
  on('forget <ADDRESS>', 'drop a record; nothing is sent').action(async (a: string, o: CommonOptions) =>
    report(await (await loadStateChange()).stateForget(io, o, a)),
  )
  on('accept <ADDRESS>', 'accept what happened outside').action(async (a: string, o: CommonOptions) =>
    report(await (await loadStateChange()).stateAccept(io, o, a)),
  )
  on('resolve <ADDRESS>', 'say what became of a request of unknown outcome')
    .addOption(new Option('--created <ID>', 'it was created, with this id').conflicts('notCreated'))
    .option('--not-created', 'it had no effect')
    .action(async (a: string, o: CommonOptions & { created?: string; notCreated?: boolean }) => {
      if (o.created === undefined && o.notCreated !== true)
        throw await usage('give --created ID or --not-created')
      report(await (await import('./commands/state-resolve.ts')).stateResolve(io, o, a, o))
    })
  on('unlock <ID>', 'remove a lock that its owner left behind').action(async (id: string, o: CommonOptions) =>
    report(await (await loadState()).stateUnlock(io, o, id)),
  )
}

/** Each data source is a command of its own, with its arguments as options; read only when it is asked for. */
const getCommands = async (
  program: Command,
  io: Io,
  argv: readonly string[],
  report: Report,
): Promise<void> => {
  const get = program.command('get').description('read a data source').usage('NAME [options]')
  if (!argv.includes('get')) return
  const { dataSources } = await import('@deploymgmt/provider/data-sources')
  const { argumentOptions, getUsage, UNUSED_BY_GET } = await import('./commands/get-options.ts')
  const names = dataSources.map(({ name }) => name)
  // What is no name of a data source comes here, with whatever flags stand behind it.
  get
    .argument('[NAME]')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpCommand(true)
    .action(async (name: string | undefined) => {
      throw (await import('./commands/get-name.ts')).noSuchName(name, names)
    })
  for (const definition of dataSources) {
    const command = get.command(definition.name).description(definition.summary).usage(getUsage(definition))
    for (const option of argumentOptions(definition)) command.addOption(option)
    formatted(common(command)).action(async (options: CommonOptions & Record<string, unknown>) => {
      const given = Object.fromEntries(
        Object.keys(definition.arguments).flatMap((field) =>
          options[field] === undefined ? [] : [[field, options[field]]],
        ),
      )
      report(await (await import('./commands/get.ts')).get(io, options, definition, given))
    })
    for (const option of command.options) option.hidden ||= UNUSED_BY_GET.includes(option.long ?? '')
  }
}

const otherCommands = (program: Command, io: Io, report: Report): void => {
  common(
    program.command('adopt').description('write a manifest from what is live (not in this version)'),
  ).action(async () => {
    const { NotSupportedError } = await import('./errors/index.ts')
    throw new NotSupportedError('adopt is not part of this version', {
      hint: 'Declare what exists by its id or a selector; the first apply takes it over.',
    })
  })
  program
    .command('serve')
    .description('run the embedded service')
    .option('--host <HOST>', 'where to listen', '127.0.0.1')
    .option('--port <PORT>', 'which port; 0 takes a free one', portNumber, 0)
    .option('--data <FILE>', 'keep the data in this file')
    .option('--fixture <FILE>', 'what the service holds at the start')
    .addOption(repeated('--set <KEY=VALUE>', 'a setting', 'none'))
    .option('--control', 'offer /_control/')
    .option('--allow-remote', 'allow a host that other machines reach: whoever reaches it can try keys on it')
    .addOption(
      new Option('--format <FORMAT>', 'how to say that it is ready')
        .choices(['text', 'json'])
        .default('text'),
    )
    .action(async (options) => report(await (await import('./commands/serve.ts')).serve(io, options)))
  program
    .command('schema')
    .description('print the JSON Schema of a manifest')
    .option('--output <FILE>', 'write to a file')
    .action(async (options: { output?: string }) =>
      report(await (await import('./commands/schema.ts')).schema(io, options)),
    )
  program
    .command('completion <SHELL>')
    .description('print a completion script for bash, zsh or fish')
    .action(async (shell: string) =>
      report(await (await import('./commands/completion.ts')).completion(io, program, shell)),
    )
}

const common = (command: Command): Command =>
  command
    .addOption(
      repeated('-f, --file <PATH>', 'a manifest, a folder of them, or a cdk.tf.json', DEFAULT_MANIFEST),
    )
    .addOption(repeated('--var <NAME=VALUE>', 'set a variable', 'none'))
    .option('--state <FILE>', 'the state file', DEFAULT_STATE)
    .addOption(repeated('--target <ADDRESS>', 'look at these addresses alone (globs)', 'all'))
    .option('--concurrency <N>', 'requests in flight at once', positive, 10)
    .option('--local', 'talk to an embedded service started for this one command')
    .option('--allow-http', 'accept plain http beyond loopback')
    .option('--all', 'fold no long list; plan and apply then also list what is in sync')
    .option('--strict', 'what cannot be verified makes exit code 2; of plan only with --detailed-exitcode')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colour')

/** A command whose data can be shown in several ways, and written to a file. */
const formatted = (command: Command, formats?: readonly string[]): Command =>
  inFormat(command, formats).option('--output <FILE>', 'write the data to a file')

const inFormat = (command: Command, formats: readonly string[] = ['text', 'json']): Command =>
  command.addOption(new Option('--format <FORMAT>', 'how to show it').choices(formats).default('text'))

/** `shown` is what help says of the default, which is a list. */
const repeated = (flags: string, what: string, shown: string): Option =>
  new Option(flags, `${what}; can be repeated`).argParser(collect).default([], shown)

const collect = (value: string, values: readonly string[]): readonly string[] => [...values, value]

const portNumber = (text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('It has to be a whole number from 0 to 65535; 0 takes a free one.')
  return value
}

const positive = (text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > 100)
    throw new InvalidArgumentError('It has to be a whole number from 1 to 100.')
  return value
}

const usage = async (what: string): Promise<DeploymgmtError> => {
  const { UsageError } = await import('./errors/index.ts')
  return new UsageError(what, { hint: UsageError.remedy })
}
