/** An instant as people read it, `2026-12-05 02:00:01 UTC`; the second that is not over yet counts as past. */
export const sayInstant = (instant: string): string => {
  const iso = new Date(Math.ceil(Date.parse(instant) / 1000) * 1000).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
