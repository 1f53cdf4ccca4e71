/**
 * The candidate that a misspelt word most likely means: the one with the fewest edits, and no more than a third of
 * its letters, so that a random word gets no suggestion.
 */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  // A pasted file is no misspelling, and would take long.
  if (word.length > 100) return undefined
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editDistance(plain(word), plain(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits)
  const best = ranked[0]
  if (best === undefined) return undefined
  if (!isNear(word, best)) return swapped(word, candidates) ?? begunBy(word, candidates)
  // Who cuts a name short means it rather than one with another letter: `project` means `projectId`, not `protect`.
  const begun = ranked.find((each) => plain(each.candidate).startsWith(plain(word)) && isNear(word, each))
  return (word.length < LEAST_BEGINNING ? best : (begun ?? best)).candidate
}

const isNear = (word: string, { candidate, edits }: { candidate: string; edits: number }): boolean =>
  edits <= Math.max(1, Math.floor(Math.max(candidate.length, word.length) / 3))

/** Fewer letters begin too many names. */
const LEAST_BEGINNING = 4

/** The only candidate that begins with the word: people cut long names short, with a plural or without. */
const begunBy = (word: string, candidates: readonly string[]): string | undefined => {
  const beginning = plain(word).replace(/s$/, '')
  if (beginning.length < LEAST_BEGINNING) return undefined
  const [only, ...others] = candidates.filter((candidate) => plain(candidate).startsWith(beginning))
  return others.length === 0 ? only : undefined
}

/** Letters in the wrong order are two edits, and yet the likeliest mistake. */
const swapped = (word: string, candidates: readonly string[]): string | undefined => {
  const letters = sorted(word)
  return candidates.find((candidate) => candidate.length === word.length && sorted(candidate) === letters)
}
const sorted = (word: string): string => word.toLowerCase().split('').toSorted().join('')

/** Case and separators make no difference: `project_id` means `projectId`. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_\s]/g, '')

const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
