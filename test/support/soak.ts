/** How many kills `npm run soak` wants; in `npm test` each file has the few of its own. */
export const soakKills =
  process.env['SOAK_KILLS'] === undefined ? undefined : Number(process.env['SOAK_KILLS'])

/** How often something is tried with random values: as often as it takes to notice, and in a soak twenty times that. */
export const runs = (few: number): number => (soakKills === undefined ? few : few * 20)
