import { InvalidArgumentError, Option, type Command } from 'commander'
import { DEFAULT_MANIFEST } from '../config/files.ts'
import { formatsOf } from '../render/formats.ts'
import type { ReportName } from '../render/reports.ts'
import { DEFAULT_STATE } from './options.ts'

/** The flags that most commands share. */
export const common = (command: Command): Command =>
  command
    .addOption(
      repeated('-f, --file <PATH>', 'a manifest, a folder of them, or a cdk.tf.json', DEFAULT_MANIFEST),
    )
    .addOption(repeated('--var <NAME=VALUE>', 'set a variable', 'none'))
    .option('--state <FILE>', 'the state file', DEFAULT_STATE)
    .addOption(repeated('--target <ADDRESS>', 'look at these addresses alone (globs)', 'all'))
    .option('--concurrency <N>', 'requests in flight at once', requestsAtOnce, 10)
    .option('--local', 'talk to an embedded service started for this one command')
    .option('--allow-http', 'accept plain http beyond loopback')
    .option('--all', 'fold no long list; plan and apply then also list what is in sync')
    .option('--strict', 'what cannot be verified makes exit code 2; of plan only with --detailed-exitcode')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colour')

/** For a command whose data can be shown in several ways, and written to a file. */
export const reporting = (command: Command, report: ReportName): Command =>
  command.addOption(format(report)).option('--output <FILE>', 'write the data to a file')

/** The choices are the formats that the report has. */
export const format = (report: ReportName, what = 'how to show it'): Option =>
  new Option('--format <FORMAT>', what).choices(formatsOf(report)).default(formatsOf(report)[0])

/** `shown` is what help says of the default, which is a list. */
export const repeated = (flags: string, what: string, shown: string): Option =>
  new Option(flags, `${what}; can be repeated`).argParser(collect).default([], shown)

const collect = (value: string, values: readonly string[]): readonly string[] => [...values, value]

const wholeNumber =
  (least: number, most: number, more = '') =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}${more}.`)
    return value
  }

export const portNumber = wholeNumber(0, 65_535, '; 0 takes a free one')
const requestsAtOnce = wholeNumber(1, 100)

/** A sha256 as `sha256sum` prints it. */
export const sha256Digest = (text: string): string => {
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new InvalidArgumentError('It has to be 64 hexadecimal digits, as plan --out tells them.')
  return text
}
