import { ManifestNotFoundError } from './manifest-not-found-error.ts'
import { VariableError } from './variable-error.ts'

/** What is wrong with the words of a command that say what is read. */
export type WordsError = ManifestNotFoundError | VariableError

/** All of them as one: of the kind of the first, with what each says. */
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
