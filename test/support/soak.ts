/** How many kills `npm run soak` wants; in `npm test` each file has the few of its own. */
export const soakKills =
  process.env['SOAK_KILLS'] === undefined ? undefined : Number(process.env['SOAK_KILLS'])
