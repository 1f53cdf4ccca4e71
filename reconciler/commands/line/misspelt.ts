import { nearest } from '@deploymgmt/provider/core'
import { UsageError } from '../../errors/usage-error.ts'

/**
 * A command with subcommands that also runs by itself would report a misspelt subcommand as an excess word, or
 * refuse its flags.
 *
 * @throws UsageError
 */
export const refuseMisspelt = (word: string, known: readonly string[]): void => {
  const meant = nearest(word, known)
  if (meant !== undefined) throw new UsageError(`unknown command '${word}'; did you mean ${meant}?`)
}
