import { nearest } from '@deploymgmt/provider/core'
import { didYouMean } from '@deploymgmt/provider/core/text'
import { UsageError } from '../../errors/index.ts'

/** The error for a missing or unknown name; lists the known ones. */
export const noSuchName = (name: string | undefined, names: readonly string[]): UsageError =>
  new UsageError(
    // A flag before the name hides the name.
    name === undefined || name.startsWith('-')
      ? 'get needs the name of a data source, followed by its flags'
      : `there is no data source ${JSON.stringify(name)}${didYouMean(nameMeant(name, names))}`,
    { hint: `The names are: ${names.join(', ')}.\n  deploymgmt get NAME --help shows the flags of one.` },
  )

/** The data source meant by a shortened name, such as `alert_configs` or `events`, or by a misspelt one. */
const nameMeant = (name: string, names: readonly string[]): string | undefined => {
  const given = wordsOf(name)
  const shortened = names
    .filter((each) => given.every((word) => wordsOf(each).some((whole) => whole.startsWith(word))))
    .toSorted((a, b) => wordsOf(a).length - wordsOf(b).length)
  if (given.length === 0 || shortened.length === 0) return nearest(name, names)
  return shortened.find((each) => isPlural(each) === isPlural(name)) ?? shortened[0]
}

/** Words without the plural s. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[-_\s]+/)
    .map((word) => word.replace(/(?<=..)s$/, ''))
    .filter((word) => word !== '')

const isPlural = (name: string): boolean => name.endsWith('s')
