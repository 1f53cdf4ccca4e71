import { InvalidArgumentError, Option, type Command } from 'commander'
import { DEFAULT_MANIFEST } from '../../config/files/files.ts'
import { STDIN, STDOUT } from '../../io.ts'
import type { ReportName } from '../../render/document/reports.ts'
import { DAY_MS } from '../../text/instants.ts'
import { format, formats } from './format-flag.ts'
import { Repeatable } from './once.ts'
import { age, period } from './period.ts'

const COMMON = {
  file: () =>
    repeated(
      '-f, --file <PATH>',
      'a manifest, a folder of them, or a cdk.tf.json; - is stdin',
      DEFAULT_MANIFEST,
    ).argParser((path: string, paths: readonly string[]) =>
      collect(path === '-' ? STDIN : fileName(path), paths),
    ),
  var: () => repeated('--var <NAME=VALUE>', 'set a variable', 'none'),
  varFile: () =>
    repeated('--var-file <FILE>', 'set variables from a mapping in YAML or JSON', 'none').argParser(
      (path: string, paths: readonly string[]) => collect(fileName(path), paths),
    ),
  state: () =>
    new Option('--state <FILE-OR-URL>', 'where the state is (default: what the manifest says)').argParser(
      fileName,
    ),
  lockTimeout: () =>
    new Option(
      '--lock-timeout <PERIOD>',
      'how long to wait while another command holds the lock of the state: 30s, 5m, 1h (default: do not wait)',
    ).argParser(period),
  target: () => repeated('--target <ADDRESS>', 'look only at these addresses (globs)', 'all'),
  concurrency: () =>
    new Option('--concurrency <N>', 'requests in flight at once').argParser(requestsAtOnce).default(10),
  local: () => new Option('--local', 'talk to an embedded service started for this one command'),
  allowHttp: () => new Option('--allow-http', 'accept plain http beyond loopback'),
  all: () => new Option('--all', 'show long lists in full; plan and apply then also list what is in sync'),
  strict: () =>
    new Option(
      '--strict',
      'exit with 2 also for what cannot be verified (plan: only with --detailed-exitcode)',
    ),
  trace: () => new Option('--trace', 'log each request on stderr'),
  quiet: () => new Option('--quiet', 'no progress'),
  color: () => new Option('--no-color', 'no colour'),
} satisfies Readonly<Record<string, () => Option>>

export type CommonFlag = keyof typeof COMMON
export const ALL_COMMON = Object.keys(COMMON) as readonly CommonFlag[]

/** Flags that determine the state: its place, its manifest and its service. */
export const OF_STATE: readonly CommonFlag[] = [
  'file',
  'var',
  'varFile',
  'state',
  'local',
  'allowHttp',
  'color',
]

/**
 * Adds the flags that most commands share. Each command accepts them all, so that a script can pass the same ones
 * everywhere; its help shows only those that it uses.
 */
export const common = (command: Command, used: readonly CommonFlag[] = ALL_COMMON): Command => {
  for (const [name, make] of Object.entries(COMMON))
    command.addOption(make().hideHelp(!used.includes(name as CommonFlag)))
  return command
}

/** Options of a command whose data can be shown in several formats, and written to files. */
export const reporting = (command: Command, report: ReportName): Command =>
  command.addOption(formats(report)).addOption(output('write the data to a file'))

/** Options of a command that streams its data in one format. */
export const streaming = (command: Command, report: ReportName): Command =>
  command.addOption(format(report)).addOption(output('write the data to a file'))

/** Says in the help that the flag names what the command writes; elsewhere, it names what is read. */
export const writingManifest = (command: Command): Command => {
  for (const option of command.options)
    if (option.attributeName() === 'file') option.description = 'the manifest to write'
  return command
}

export const output = (what: string): Option => new Option('--output <FILE>', what).argParser(fileName)

export const acceptedFile = (): Option =>
  new Option(
    '--accepted <FILE>',
    'the file of accepted drift (default: deploymgmt.accepted.yaml beside the manifest)',
  ).argParser(fileName)

/** Where to write the manifest; `-` means no other file, but stdout only. */
export const adopted = (): Option =>
  new Option(
    '--output <FILE>',
    'the manifest to write; - prints it instead (default: deploymgmt.adopted.yaml beside the manifest)',
  ).argParser((text: string) => (text === '-' ? STDOUT : fileName(text)))

/** A plan prints a report on stdout, with which the file would be mixed. */
export const planFile = (text: string): string => {
  if (text === '-')
    throw new InvalidArgumentError(
      'It has to be the name of a file, because the report of the plan goes to stdout.',
    )
  return fileName(text)
}

/** An empty value comes from an unset shell variable. */
const fileName = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('It has to be the name of a file.')
  return text
}

/** `shown` is the text of the default in the help. */
export const repeated = (flags: string, what: string, shown: string): Option =>
  new Repeatable(flags, what).argParser(collect).default([], shown)

/** Splits a list of names in one word. Blanks around a comma belong to no name. */
export const names = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
]

const collect = (value: string, values: readonly string[]): readonly string[] => [...values, value]

const wholeNumber =
  (least: number, most: number, more = '') =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}${more}.`)
    return value
  }

export const portNumber = wholeNumber(0, 65_535, '; 0 picks a free one')
const requestsAtOnce = wholeNumber(1, 100)

export const pendingFor = (): Option =>
  new Option(
    '--pending-for <PERIOD>',
    'count what has been declared for longer than this without being applied as a difference: 90m, 24h, 7d',
  )
    .argParser(age)
    .default(DAY_MS, '24h')

/** A sha256 as printed by `sha256sum`. */
export const sha256Digest = (text: string): string => {
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new InvalidArgumentError('It has to be 64 hexadecimal digits, as plan --out prints them.')
  return text
}
