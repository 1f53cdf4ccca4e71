import { isObject, type Values } from './values.ts'

/** The raw document of an event, whose format is not documented; empty if it is not a mapping. */
export const rawOf = ({ raw }: Values): Values => (isObject(raw) ? raw : {})

/** What events tell together, the newest first: if several tell a value, the newest counts. */
export const newestTold = (events: readonly Values[]): Values =>
  Object.assign({}, ...events.toReversed().map(rawOf)) as Values
