import { print, type Io } from '../../io.ts'
import { visible } from '../../text/display.ts'

/** Says something to a person, separate from the data. Escapes control characters of quoted files or responses. */
export const tell = ({ stderr }: Pick<Io, 'stderr'>, text: string): Promise<void> =>
  print(stderr, text.split('\n').map(visible).join('\n'))
