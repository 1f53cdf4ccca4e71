import { print, type Io } from '../../io.ts'
import { visible } from '../../text/display.ts'

/** Says something to a person, beside the data. Whatever file or service it quotes, it drives no terminal. */
export const tell = ({ stderr }: Pick<Io, 'stderr'>, text: string): Promise<void> =>
  print(stderr, text.split('\n').map(visible).join('\n'))
