/**
 * The candidate with the fewest single-character edits from `word`, for "did you mean"; at most a third of its
 * letters, because a distant suggestion misleads.
 */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = editDistance(word.slice(0, 100).toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  const letters = Math.max(word.length, best?.length ?? 0)
  return bestDistance <= Math.max(1, Math.floor(letters / 3)) ? best : undefined
}

/** Swapping two adjacent letters is one edit. */
const editDistance = (left: string, right: string): number => {
  let [before, previous]: [number[], number[]] = [
    [],
    Array.from({ length: right.length + 1 }, (_, index) => index),
  ]
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      current.push(
        Math.min(
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    ;[before, previous] = [previous, current]
  }
  return previous[right.length] ?? 0
}
