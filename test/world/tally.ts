const counts = new Map<string, number>()

/** Counts what histories have met, so that a simulation can say what it has tried. */
export const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

export const tally = (): string =>
  [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, often]) => `${String(often).padStart(8)}  ${what}`)
    .join('\n')
