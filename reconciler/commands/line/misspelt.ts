import { nearest } from '@deploymgmt/provider/core'
import { UsageError } from '../../errors/usage-error.ts'

/**
 * A command that runs by itself, too, would call a misspelt one of its own a word too many, or refuse the flags behind it
 * as its own.
 *
 * @throws UsageError
 */
export const refuseMisspelt = (word: string, known: readonly string[]): void => {
  const meant = nearest(word, known)
  if (meant !== undefined) throw new UsageError(`unknown command '${word}'; did you mean ${meant}?`)
}
