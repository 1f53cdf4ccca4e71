import { assert, asyncProperty, type Arbitrary } from 'fast-check'

/** How many kills `npm run soak` wants; in `npm test` each file has the few of its own. */
export const soakKills =
  process.env['SOAK_KILLS'] === undefined ? undefined : Number(process.env['SOAK_KILLS'])

/** How often something is tried with random values: as often as it takes to notice, and in a soak twenty times that. */
export const runs = (few: number): number => (soakKills === undefined ? few : few * 20)

/** Tries what has to hold for random values so often, and in a soak oftener. */
export const holds = <Values extends [unknown, ...unknown[]]>(
  few: number,
  values: { readonly [K in keyof Values]: Arbitrary<Values[K]> },
  test: (...given: Values) => Promise<void>,
): Promise<void> => assert(asyncProperty<Values>(...values, test), { numRuns: runs(few) })

/** What is tried is the same each time in `npm test`, so that it says something of a change; a soak looks elsewhere. */
export const seeded = soakKills === undefined ? { seed: 20_261_122 } : {}
