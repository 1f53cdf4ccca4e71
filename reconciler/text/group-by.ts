/** Groups of things with the same key, in the order of the first of each. */
export const groupBy = <T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] => [
  ...Map.groupBy(items, keyOf).values(),
]
