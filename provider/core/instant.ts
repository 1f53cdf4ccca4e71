const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/

/**
 * Whether the text is a date and time with its zone. `Date.parse` alone takes the 30th of February for the
 * 2nd of March.
 */
export const isInstant = (text: string): boolean => {
  const parts = form.exec(text)
  if (parts === null) return false
  const part = (group: number): number => Number(parts[group] ?? 0)
  const date = new Date(Date.UTC(part(1), part(2) - 1, part(3)))
  return (
    date.getUTCMonth() === part(2) - 1 &&
    date.getUTCDate() === part(3) &&
    part(4) < 24 &&
    part(5) < 60 &&
    part(6) < 60 &&
    part(7) < 24 &&
    part(8) < 60
  )
}

/** Milliseconds since the epoch. The service also answers dates without a zone, which are UTC. */
export const parseInstant = (text: string): number =>
  Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`)

/** UTC with whole seconds where they are whole, since not every service takes a fraction. */
export const formatInstant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')
