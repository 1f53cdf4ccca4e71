import { createInterface } from 'node:readline/promises'
import type { Io } from '../io.ts'

/** Asks on the terminal; anything but `yes` is no, and so is the end of the input, or an interrupt. */
export const confirm = async (
  { stdin, stderr }: Io,
  question: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const lines = createInterface({ input: stdin, output: stderr, terminal: false })
  const close = (): void => lines.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    stderr.write(question)
    // Lines of what is closed already would be awaited for ever.
    if (signal.aborted) return false
    for await (const line of lines) return line.trim() === 'yes'
    return false
  } finally {
    signal.removeEventListener('abort', close)
    lines.close()
  }
}
