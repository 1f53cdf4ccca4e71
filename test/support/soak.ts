import { appendFileSync } from 'node:fs'
import { assert, asyncProperty, type Arbitrary } from 'fast-check'

const { SOAK_KILLS, SOAK_SHARE = '1/1', SOAK_FIGURES } = process.env
/** With several processes, a soak gives each its share, such as `1/2` and `2/2`. */
const [share = 1, shares = 1] = SOAK_SHARE.split('/').map(Number)

/** How many kills `npm run soak` wants from this process; in `npm test`, each file has its own small number. */
export const soakKills = SOAK_KILLS === undefined ? undefined : Math.ceil(Number(SOAK_KILLS) / shares)

/** Seeds that no other process of the soak has. */
export const seedsOf = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index * shares + share)

/** This process's share of things that are tried once each. */
export const shareOf = <T>(all: readonly T[]): T[] => all.filter((_, index) => index % shares === share - 1)

/**
 * How often to try random values: often enough to notice a defect, and in a soak of 1,000 kills twenty times as often.
 */
export const runs = (few: number): number => Math.ceil(few * ((soakKills ?? 50) / 50))

/** Checks a property with so many random values, and with more of them in a soak. */
export const holds = <Values extends [unknown, ...unknown[]]>(
  few: number,
  values: { readonly [K in keyof Values]: Arbitrary<Values[K]> },
  test: (...given: Values) => Promise<void>,
): Promise<void> => assert(asyncProperty<Values>(...values, test), { numRuns: runs(few) })

/** A line for the tables of `npm run soak`. Lines of one row are added up, over all processes. */
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

/** The table of what is only counted. */
export const tellTried = (what: string, times: number): void => tell('Tried', what, { Times: times })
