import { isObject, type Values } from './values.ts'

/** What the raw document of an event tells, whose form is not documented: of anything but a mapping, nothing. */
export const rawOf = ({ raw }: Values): Values => (isObject(raw) ? raw : {})

/** What events tell together, the newest first: of what several tell, the newest counts. */
export const newestTold = (events: readonly Values[]): Values =>
  Object.assign({}, ...events.toReversed().map(rawOf)) as Values
