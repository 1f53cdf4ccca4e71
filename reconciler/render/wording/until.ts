import { showInstant } from '../../text/instants.ts'

/** `until 2026-12-31`; nothing if it has no end. */
export const untilWords = ({ until }: { readonly until?: string }): string[] =>
  until === undefined ? [] : [`until ${showInstant(until)}`]
