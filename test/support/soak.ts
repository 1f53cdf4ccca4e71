import { appendFileSync } from 'node:fs'
import { assert, asyncProperty, type Arbitrary } from 'fast-check'

const { SOAK_KILLS, SOAK_SHARE = '1/1', SOAK_FIGURES } = process.env
/** A soak of several processes gives each its share: `1/2` and `2/2`. */
const [share = 1, shares = 1] = SOAK_SHARE.split('/').map(Number)

/** How many kills `npm run soak` wants of this process; in `npm test` each file has the few of its own. */
export const soakKills = SOAK_KILLS === undefined ? undefined : Math.ceil(Number(SOAK_KILLS) / shares)

/** So many seeds that no other process of a soak has. */
export const seedsOf = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index * shares + share)

/** What is this process's to try, where all of it is tried once. */
export const shareOf = <T>(all: readonly T[]): T[] => all.filter((_, index) => index % shares === share - 1)

/** How often something is tried with random values: as often as it takes to notice, and in a soak of 1,000 kills twenty times that. */
export const runs = (few: number): number => Math.ceil(few * ((soakKills ?? 50) / 50))

/** Tries what has to hold for random values so often, and in a soak oftener. */
export const holds = <Values extends [unknown, ...unknown[]]>(
  few: number,
  values: { readonly [K in keyof Values]: Arbitrary<Values[K]> },
  test: (...given: Values) => Promise<void>,
): Promise<void> => assert(asyncProperty<Values>(...values, test), { numRuns: runs(few) })

/** What is tried is the same each time in `npm test`, so that it says something of a change; a soak looks elsewhere. */
export const seeded = soakKills === undefined ? { seed: 20_261_122 } : {}

/** A line for the tables of `npm run soak`. Those of one row are added up, over its processes too. */
export interface Told {
  readonly table: string
  readonly row: string
  /** By column. */
  readonly figures: Readonly<Record<string, number>>
}
export const tell = (table: string, row: string, figures: Told['figures']): void => {
  if (SOAK_FIGURES === undefined) return
  const told: Told = { table, row, figures }
  appendFileSync(SOAK_FIGURES, `${JSON.stringify(told)}\n`)
}

/** The table of what is tried so often that only the number is of interest. */
export const tellTried = (what: string, times: number): void => tell('Tried', what, { Times: times })
