/** Things of which the same is to be said, in the order of the first of each. */
export const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => [
  ...Map.groupBy(items, keyOf).values(),
]
