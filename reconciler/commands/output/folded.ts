import type { Io } from '../../io.ts'
import { hanging, printedLines } from '../../text/lines.ts'
import { proseRoom } from '../../text/style.ts'

/**
 * A terminal would break lines within words. Elsewhere, each warning stays one line, for tools that search the
 * output.
 */
export const foldedAt = ({ stderr }: Io, text: string): string => {
  if (!stderr.columns) return text
  const room = proseRoom({ width: stderr.columns })
  const lines = text.split('\n').flatMap((each) => hanging(each, room))
  return printedLines(lines, { color: false })
}
