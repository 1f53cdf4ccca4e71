import { ManifestNotFoundError } from './manifest-not-found-error.ts'
import { VariableError } from './variable-error.ts'

/** An error in the words of a command that say what is read. */
export type WordsError = ManifestNotFoundError | VariableError

/** Combines the errors into one: of the class of the first, with all messages. */
export const together = (errors: readonly [WordsError, ...WordsError[]]): WordsError => {
  const [first, ...others] = errors
  if (others.length === 0) return first
  const Together = first instanceof VariableError ? VariableError : ManifestNotFoundError
  return new Together(eachOnce(errors.map(({ message }) => message)).join('; '), {
    hint: eachOnce(errors.map(({ hint }) => hint)).join(' '),
    cause: first,
  })
}

const eachOnce = (texts: readonly string[]): string[] => [...new Set(texts)]

export const isSome = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0
