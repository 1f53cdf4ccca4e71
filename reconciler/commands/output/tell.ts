import { print, type Io } from '../../io.ts'
import { visible } from '../../text/display.ts'
import { foldedLines } from '../../text/lines.ts'
import { proseRoom } from '../../text/style.ts'

/** Says something to a person, separate from the data. */
export const tell = (io: Pick<Io, 'stderr'>, text: string): Promise<void> => print(io.stderr, said(io, text))

/** Says it without ending the line, on which the answer is to follow. */
export const prompt = (io: Pick<Io, 'stderr'>, text: string): void => {
  io.stderr.write(said(io, text))
}

/**
 * Control characters of quoted files or responses are escaped. A terminal would break long lines within words;
 * elsewhere, each stays one line, for tools that search the output.
 */
const said = ({ stderr: { columns } }: Pick<Io, 'stderr'>, text: string): string => {
  const lines = text.split('\n').map(visible)
  if (!columns) return lines.join('\n')
  const room = { columns, prose: proseRoom({ width: columns }) }
  return lines.flatMap((line) => foldedLines(line, room)).join('\n')
}
