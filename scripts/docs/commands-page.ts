import { type Argument, Command, type Option } from 'commander'
import { capitalized } from '@deploymgmt/provider/core/text'
import { programFor } from '../../reconciler/cli.ts'
import { concealingIo, processIo } from '../../reconciler/io.ts'
import { common } from '../../reconciler/commands/line/flags.ts'
import { formatsOf, type Format } from '../../reconciler/render/formats.ts'
import type { ReportName } from '../../reconciler/render/document/reports.ts'
import { block, bullets, code, notice, page, spoken, table } from './markdown.ts'

const COMMON_FLAGS = '[Common flags](#flags-of-most-commands)'

/** Flags that most commands take; each is described once. */
const COMMON: readonly unknown[] = common(new Command()).options.map(({ long }) => long)

/** The matching formats of a report, as a list in a sentence. */
const listed = <N extends ReportName>(report: N, fits?: (format: Format<N>) => boolean): string =>
  formatsOf(report, fits)
    .map((name) => code(name))
    .join(', ')

/** The commands by what they are for; a name stands for its subcommands, too. */
const TASKS: readonly (readonly [string, ...string[]])[] = [
  ['Declare and apply', 'init', 'validate', 'plan', 'apply'],
  ['Find drift', 'drift'],
  ['See and adopt what exists', 'inventory', 'get', 'adopt'],
  ['Around a deployment', 'silence', 'wait'],
  ['Inspect and repair the state', 'state'],
  ['Try out, and tools', 'serve', 'schema', 'completion'],
]

/** Additions to a flag table. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  init: ['Refuses if the manifest exists. The state is written only if the environment names the service.'],
  validate: ['Needs no credentials and sends nothing. Names every error with its file, line and column.'],
  plan: [
    'Only reads and writes nothing, except the file of `--out`. A plan that could not read everything is an error.',
    'With `PLANFILE`, it shows a saved plan. Name manifests with `-f`.',
    'When a plan is saved, or shown from its file, the output includes the sha256 of the file, in JSON under `saved`. An approval can be tied to it.',
    'The exit code is 0 whatever there is to do, unless `--detailed-exitcode` asks for 2. `--strict` has an effect only together with it: then things that cannot be verified are enough for exit code 2.',
    'Text folds what changes nothing; `--help` says what its marks mean. Writes that do the same form one group, with counts by project. Every address is named; of more than a hundred, a terminal names the first twenty and counts the others, unless you give `--all`. The last line counts separately the adoptions that change something, and what is taken out: `to leave unmanaged` sends nothing, and `to end`, `to restore` or `to revoke` does what [`onRemove`](manifest.md) said.',
    '`--all` also lists what is in sync, in JSON too; what cannot be verified is always listed.',
  ],
  apply: [
    `Asks on a terminal; only \`yes\` is accepted. Without a terminal it needs \`--auto-approve\`. The plan is always shown before the question; with \`--quiet\`, \`--output\` or a format for machines (${listed('apply', (each) => each.for === 'machine')}), it goes to stderr.`,
    'After the answer, everything is read again. If somebody else has changed something meanwhile, apply refuses to overwrite it and says who did it; `--allow-overwrite` permits this only where the plan showed that change.',
    'With `PLANFILE`, it applies a saved plan. It refuses if the state, the manifests or what the service shows has changed since, or if the file was edited. The passing of time does not make a plan stale: what is too late by then is left out, and nothing is added.',
    '`--expect-sha256` applies only what was approved: a saved plan with another digest is refused before anything is read or sent.',
    'While it runs, a terminal names twenty of more than a hundred changes that do the same and counts the others; `deploymgmt state list` names what is recorded. Changes that failed, are blocked, have an unknown outcome, delete or take out are always named one by one. `--all` names every change.',
    'Without a state file it creates nothing: it refuses and says what to do (`deploymgmt state init` starts a state). If nothing is to be created, it starts a state with what it adopts, and warns about that first.',
    'The `--allow-` flags are for [guards](failure-model.md#guards).',
  ],
  drift: [
    'Compares the service with what was last applied, not with the manifest. Only reads and writes nothing.',
    'With `--all`, long lists are not folded. Text still only counts what is in sync; the JSON document has every resource, with or without `--all`.',
    '`--strict`: exit with 2 if something cannot be verified, even if nothing has drifted.',
    '[drift.md](drift.md) explains what each drift says, accepted drift, and what is late. Without a state it is an error.',
  ],
  'drift accept': [
    'Looks for drift first, sending only reads, and writes the file of [accepted drift](drift.md#accepted-drift). Something that has not drifted is an error. Put flags after `accept`.',
  ],
  adopt: [
    'Only reads, each list once, and changes no existing file. See [Adopting an existing installation](adopt.md).',
    'Before it writes the file, it plans with it: if that plan would write anything to the service, no file is left behind.',
  ],
  inventory: [
    'What the key may not read is listed below the tables. It is not an error as long as anything else could be read. See [The inventory, at a glance](inventory.md).',
    'With `--watch`, an interrupt ends it with exit code 0.',
  ],
  serve: [
    '[The settings](service-settings.md) are given with `--set`, and [that page](service-settings.md#fixtures) says what a fixture can hold. The first line on stdout gives the address.',
  ],
  schema: [
    'The schemas of plan, apply and drift are strict: they list every field and say what it means.',
    'An editor finds the schema of a manifest through a comment in its first line: `# yaml-language-server: $schema=FILE`.',
  ],
  completion: [
    'For bash: `deploymgmt completion bash > /etc/bash_completion.d/deploymgmt`. For zsh: `deploymgmt completion zsh > "${fpath[1]}/_deploymgmt"`. For fish: `deploymgmt completion fish > ~/.config/fish/completions/deploymgmt.fish`.',
  ],
  'state init': [
    'Refuses if there is a state. See [the first state](state.md#the-first-state), and [losing the state](state-repair.md#losing-the-state) before you replace one.',
  ],
  'state mv': [
    'The address of an entry stands for all of its instances. A plan finds most [renames](manifest.md#renames) by itself.',
  ],
  'state forget': ['The thing stays at the service as it is.'],
  'state disown': [
    'For windows that stop creations, because this key created them and no state records them; see [a state that is older than the service](state-repair.md#a-state-that-is-older-than-the-service). Sends nothing but reads.',
  ],
  'state accept': [
    'Marks what events say happened outside as seen. Nothing is written to the service.',
    '`ADDRESS` is a record, an entry with all of its records, or a pattern with `*`; the events are read once for all of them.',
  ],
  'state resolve': [
    'For requests whose outcome is unknown; see [failure-model.md](failure-model.md#what-a-person-decides).',
    'Without a decision, it asks on the terminal, about `ADDRESS` or about all of them.',
  ],
  'state copy': [
    'Locks both places, copies the state with its lineage and serial, reads it back, and leaves a marker in the old place; see [moving it](state.md#moving-it).',
  ],
  'state transfer': [
    'Locks both states and saves the other one first, so that the same command finishes after a kill; see [splitting a state](state-records.md#splitting-a-state-between-teams).',
    '`ADDRESS` is a record, an entry with all of its records, or a pattern with `*`.',
  ],
  'state push': [
    '`FILE` is the rescue file that the message of a failed command names; see [when the store cannot be written](state-repair.md#when-the-store-cannot-be-written).',
    'Or it is a whole state, as `state pull` prints it, for a place that has none; see [restoring a state](state-repair.md#restoring-a-state).',
  ],
  'state pull': [
    'Needs no lock. The output does not include what is in the journal; `state list` shows both.',
  ],
  'state unlock': [
    'Use it only after the command that held the lock has ended; see [the lock](state-repair.md#the-lock).',
  ],
  silence: [
    'The exit code is that of the command, or `3` if it is not known whether the window was opened. See [deployment.md](deployment.md).',
  ],
  ...Object.fromEntries(
    ['automation', 'alerts', 'agents'].map((name) => [
      `wait ${name}`,
      [
        'Exit code 2 means that the goal was not reached in time. See [deployment.md](deployment.md#waiting).',
      ],
    ]),
  ),
  get: [
    'Each data source has [a page of its own](README.md#what-can-be-read) with its arguments. Without a name, or with an unknown one, it lists all names; `deploymgmt get NAME --help` shows the flags.',
    'Wherever it takes an id of a project, it also takes the name that a manifest (`--file`) gives to the project. `--project` is the same as `--project-id`.',
  ],
}

const EXIT_CODES: readonly (readonly [string, string])[] = [
  ['`0`', 'Done, and no known difference is left. A thing that cannot be verified does not change it.'],
  ['`1`', 'An error. The message on stderr has a code; see [errors.md](errors.md).'],
  [
    '`2`',
    'Known differences remain: `plan --detailed-exitcode` with something to do, `drift` that found drift, what is late, or requests that an apply is to settle, `apply` with something blocked. With `--strict`, also what cannot be verified.',
  ],
  [
    '`3`',
    'The outcome of an earlier request is unknown, or this key created windows that no state records: [what to do](failure-model.md#exit-code-3).',
  ],
  ['`130`', 'Interrupted. What was in flight was awaited and recorded.'],
]

const OUTPUT: readonly string[] = [
  'Data goes to stdout; progress, questions and messages go to stderr.',
  '`--format FORMAT` says how to show the data; the default is `text`. `json` is one document; `apply` prints one event per line, the last of type `summary`. Below, each command names its formats; [reports](reports.md) shows those of `plan` and `drift`.',
  '`--format FORMAT=FILE`, which can be repeated, writes further reports of the same run. Without a plain `--format` as well, stdout has text.',
  '`--output FILE` writes the data to a file instead of stdout.',
  'A report never overwrites a file that the command reads. A command that fails [says so in its reports](reports.md#where-a-command-fails), too.',
]

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['`DEPLOYMGMT_BASE_URL`', 'Address of the service; it ends with `/api/public/v1.0`.'],
  ['`DEPLOYMGMT_PUBLIC_KEY`', 'Public half of the API key.'],
  ['`DEPLOYMGMT_PRIVATE_KEY`', 'Private half. It is never a flag.'],
  [
    '`DEPLOYMGMT_PRIVATE_KEY_FILE`',
    'A file with the private half. If the variable above is set too, that variable counts, and a warning on stderr says so.',
  ],
  ['`DEPLOYMGMT_CA_FILE`', 'A PEM file with a certificate authority to trust in addition to the known ones.'],
  [
    '`DEPLOYMGMT_TRACE`',
    'A file to which a line is added for each request, as with `--trace` on stderr; see [deployment.md](deployment.md#tracing).',
  ],
  ['`DEPLOYMGMT_STATE`', 'Where the state is. Overrides the manifest; `--state` overrides both.'],
  ['`DEPLOYMGMT_STATE_USERNAME`', 'The user for a state [behind HTTP](state-stores.md#behind-http).'],
  ['`DEPLOYMGMT_STATE_PASSWORD`', 'Its password, or a token. It is never a flag.'],
  [
    '`PGUSER`, `PGPASSWORD`, `PGPASSFILE`, `PGSSLMODE`, `PGSSLROOTCERT`',
    'For the connection to a [state in Postgres](state-stores.md#in-postgres), as for `psql`.',
  ],
  [
    '`HTTPS_PROXY`, `HTTP_PROXY`',
    'The proxy to the service, and to a [state behind HTTP](state-stores.md#behind-http), by the scheme of their address: `http://HOST:PORT`, with `USER:PASSWORD@` before the host if the proxy asks for them. If they are also set in small letters, those count. This machine itself is reached directly.',
  ],
  [
    '`NO_PROXY`',
    'What is reached directly, with commas in between: names (`example.com` includes `deploy.example.com`), IP addresses and blocks (`10.0.0.0/8`), each name or address also with a port; or `*` for everything.',
  ],
  ['`NO_COLOR`', 'No colour, as with `--no-color`.'],
  [
    '`FORCE_COLOR`',
    'Colour on stdout even if that is not a terminal; with `0` or `false`, no colour even if it is one.',
  ],
  ['`TERM`', 'With `dumb`, no colour, and no line that changes.'],
  ['`COLUMNS`', 'How wide text is where stdout is not a terminal; otherwise 100 columns.'],
]

/** Every command with its flags, from the command line itself. */
export const commandsPage = async (): Promise<string> => {
  const program = await programFor(await concealingIo(processIo()), [], () => undefined)
  const commands = flat(program).filter((each) => each.name !== 'help' && isRun(each))
  const reading = await readingCommand()
  const tasks = TASKS.map(
    ([task, ...names]) =>
      [task, ...names.flatMap((name) => commands.filter((each) => isOf(name, each)))] as const,
  )
  const placed = tasks.flatMap(([, ...ofTask]) => ofTask)
  const left = commands.filter((each) => !placed.includes(each)).map(({ name }) => name)
  if (left.length > 0) throw new TypeError(`no task has ${left.join(', ')}`)
  return page(
    notice('reconciler/cli.ts and scripts/docs/commands-page.ts'),
    '# Commands',
    'Every command with its flags, as `deploymgmt help COMMAND` says them, too. What all of them share comes first: [exit codes](#exit-codes), [output](#output), [environment](#environment), and [flags of most commands](#flags-of-most-commands).',
    ...tasks.flatMap(([task, ...ofTask]) => [
      `## ${task}`,
      table(
        ['Command', 'Does'],
        ofTask.map(({ name, command }) => [
          `[${code(`deploymgmt ${name}`)}](#${anchor(name)})`,
          sentence(command),
        ]),
      ),
    ]),
    '## Exit codes',
    table(['Code', 'Means'], EXIT_CODES),
    '`silence` with a command ends with the exit code of that command. For `wait`, 2 means that the goal was not reached in time.',
    '## Output',
    bullets(OUTPUT),
    '## Environment',
    table(['Variable', 'Holds'], ENVIRONMENT),
    '## Flags of most commands',
    flagTable(common(new Command()).options),
    '`--target` takes addresses with `*` for anything. An entry’s address stands for all of its instances. What is outside the target is neither planned nor removed. [Targets](manifest.md#targets) has the rules, also for things that were renamed.',
    'A length of time is `90s`, `30m`, `24h` or, as in a manifest, an ISO 8601 duration such as `PT30M`.',
    ...placed.flatMap(({ name, command }) => [
      `## deploymgmt ${name}`,
      sentence(command),
      block('text', usage(name, command)),
      flagTable(command.options.filter((option) => !isCommon(option) && !isOutput(option))),
      bullets([...(MORE[name] ?? []), ...sharedOf(name === 'get' ? reading : command)]),
    ]),
  )
}

const sharedOf = (command: Command): string[] => [...output(command), ...effective(command)]

/** One command of `get`: all that read something of a project have the same common flags. */
const readingCommand = async (): Promise<Command> => {
  const program = await programFor(await concealingIo(processIo()), ['get'], () => undefined)
  const all = program.commands.find((each) => each.name() === 'get')?.commands ?? []
  const reading = all.find((each) => each.name() === 'alerts')
  if (reading === undefined) throw new TypeError('get has no alerts')
  return reading
}

/** Whether the command does something itself, and is not only a group. */
const isRun = ({ command }: Named): boolean =>
  command.commands.length === 0 || command.options.length > 0 || command.name() === 'get'

const isOf = (task: string, { name }: Named): boolean => name === task || name.startsWith(`${task} `)

interface Named {
  readonly name: string
  readonly command: Command
}

const flat = (command: Command, before = ''): Named[] =>
  command.commands.flatMap((each) => {
    const name = `${before}${each.name()}`
    return [{ name, command: each }, ...flat(each, `${name} `)]
  })

const anchor = (name: string): string => `deploymgmt-${name.replaceAll(' ', '-')}`
const isCommon = ({ long }: Option): boolean => COMMON.includes(long)

/** The flags of output that many commands share, described once; others say something of their own. */
const isOutput = ({ long, description }: Option): boolean =>
  (long === '--format' && /^how to show it(?:, or FORMAT=FILE|$)/.test(description)) ||
  (long === '--output' && description === 'write the data to a file')

/** The formats of a command, and whether it can write them to files. */
const output = ({ options }: Command): string[] => {
  const format = options.find((option) => option.long === '--format' && isOutput(option))
  if (format === undefined) return []
  const formats = (format.argChoices ?? []).map((each) => code(each)).join(', ')
  if (format.description.includes('FORMAT=FILE')) return [`[Output](#output): ${formats}.`]
  const toFile = options.some((option) => option.long === '--output')
  return [`[Output](#output): ${formats}; ${toFile ? 'no `FORMAT=FILE`' : 'no files'}.`]
}

const flagsIn = (options: readonly Option[]): string => options.map(({ long }) => code(long ?? '')).join(', ')

/** The common flags that have an effect. */
const effective = ({ options }: Command): string[] => {
  const all = options.filter(isCommon)
  if (all.length === 0) return []
  const [used, unused] = [all.filter(({ hidden }) => !hidden), all.filter(({ hidden }) => hidden)]
  if (used.length === 0) return [`${COMMON_FLAGS}: none.`]
  if (unused.length === 0) return [`${COMMON_FLAGS}: all.`]
  return [`${COMMON_FLAGS}: ${unused.length < 4 ? `all but ${flagsIn(unused)}` : flagsIn(used)}.`]
}

const sentence = (command: Command): string => {
  const text = command.description()
  return `${spoken(capitalized(text))}.`
}

const nameOf = (argument: Argument): string => `${argument.name()}${argument.variadic ? '...' : ''}`

const usage = (name: string, { registeredArguments, options }: Command): string => {
  const takes = registeredArguments.map((each) => (each.required ? `<${nameOf(each)}>` : `[${nameOf(each)}]`))
  const hasCommon = options.some((option) => isCommon(option))
  const words = name === 'get' ? ['<NAME>'] : takes
  return [
    'deploymgmt',
    name,
    ...words,
    ...(options.length > 0 || hasCommon || name === 'get' ? ['[flags]'] : []),
    ...(name === 'silence' ? ['[-- COMMAND...]'] : []),
  ].join(' ')
}

const flagTable = (options: readonly Option[]): string =>
  options.length === 0
    ? ''
    : table(
        ['Flag', 'Meaning', 'Default'],
        options.map((option) => [code(option.flags), meaning(option), fallback(option)]),
      )

const meaning = ({ description, argChoices }: Option): string => {
  const text = spoken(capitalized(description))
  return argChoices === undefined
    ? `${text}.`
    : `${text}: ${argChoices.map((each) => code(each)).join(', ')}.`
}

const fallback = ({ defaultValue, defaultValueDescription, negate }: Option): string => {
  if (negate) return ''
  const text: unknown = defaultValueDescription ?? defaultValue
  if (text === undefined || text === 'none' || text === 'nothing') return ''
  return text === 'all' ? text : code(typeof text === 'string' ? text : JSON.stringify(text))
}
