import { createInterface } from 'node:readline/promises'
import type { Io } from '../io.ts'

/** Asks on the terminal; anything but `yes` is no, and so is the end of the input. */
export const confirm = async ({ stdin, stderr }: Io, question: string): Promise<boolean> => {
  const lines = createInterface({ input: stdin, output: stderr, terminal: false })
  try {
    stderr.write(question)
    for await (const line of lines) return line.trim() === 'yes'
    return false
  } finally {
    lines.close()
  }
}
