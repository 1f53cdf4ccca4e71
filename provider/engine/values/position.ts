import type { Position } from './model.ts'

/** `FILE:LINE:COLUMN`, or a word for a declaration that no file holds. */
export const formatPosition = (position: Position | undefined): string =>
  position === undefined ? 'the declaration' : `${position.file}:${position.line}:${position.column}`
