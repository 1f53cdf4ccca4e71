import { InvalidArgumentError, Option, type Command } from 'commander'
import { UsageError } from '../../errors/usage-error.ts'
import { isStdout } from '../../io.ts'
import { formatsOf } from '../../render/formats.ts'
import type { ReportName } from '../../render/document/reports.ts'
import { Repeatable } from './once.ts'

/** A report that is written to a file, in addition to stdout. */
export interface ReportFile {
  readonly format: string
  readonly file: string
  /** As typed: `html=drift.html`. */
  readonly typed: string
}

interface Asked {
  /** The format on stdout. */
  readonly format?: string
  readonly files: readonly ReportFile[]
}

/** The choices are the formats of the report. */
export const format = (report: ReportName, what = 'how to show it'): Option =>
  choosing(report, new Option('--format <FORMAT>', what))

const choosing = (report: ReportName, option: Option): Option =>
  option.choices(formatsOf(report)).default(formatsOf(report)[0])

/** The same for a command that shows several formats at once: one on stdout, and any number in files. */
export const formats = (report: ReportName): Option => {
  const names = formatsOf(report)
  const option = new Repeatable('--format <FORMAT>', 'how to show it, or FORMAT=FILE to write a file as well')
  return choosing(report, option).argParser((typed: string, before: Asked | string): Asked => {
    const { name, file } = partsOf(typed)
    if (!names.includes(name))
      throw new InvalidArgumentError(
        `${formatsOf('drift').includes(name) ? 'Only deploymgmt drift has this format. ' : ''}Allowed choices are ${names.join(', ')}.`,
      )
    const { format: shown, files }: Asked = typeof before === 'string' ? { files: [] } : before
    if (file !== undefined)
      return {
        ...(shown === undefined ? {} : { format: shown }),
        files: [...files, { format: name, file, typed }],
      }
    if (shown !== undefined)
      throw new UsageError(`--format ${shown} and --format ${typed} would both go to stdout`, {
        hint: `Name a file for one of them: --format ${name}=FILE`,
      })
    return { format: name, files }
  })
}

/** A name of stdout counts as stdout, not as a file. */
const partsOf = (typed: string): { readonly name: string; readonly file: string | undefined } => {
  const [name = '', ...rest] = typed.split('=')
  const file = rest.length === 0 ? undefined : rest.join('=')
  if (file === '') throw new InvalidArgumentError('After = there has to be the name of a file.')
  return { name, file: file === undefined || file === '-' || isStdout(file) ? undefined : file }
}

/** Splits the requested formats into the one for stdout (by default the report's first) and those for files. */
export const partFormats = (command: Command): void => {
  const asked = command.getOptionValue('format') as Asked | string | undefined
  if (asked === undefined || typeof asked === 'string') return
  const option = command.options.find((each) => each.attributeName() === 'format')
  command.setOptionValue('format', asked.format ?? option?.defaultValue)
  command.setOptionValue('files', asked.files)
}

/** The files for reports, each with its format, of a command that shows several formats at once. */
export const reportFiles = (command: Command): (readonly [file: string, format: string])[] => {
  const { format: shown, files, output } = command.opts<Partial<Asked> & { readonly output?: string }>()
  if (files === undefined) return []
  const named = files.map(({ file, format: as }) => [file, as] as const)
  return output === undefined || shown === undefined ? named : [...named, [output, shown]]
}
