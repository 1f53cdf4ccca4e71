/**
 * What the words of a script mean. With `--help` it prints the usage and ends; if the words are wrong, it also prints
 * why, and ends with 2.
 */
export const wordsGiven = <T>(usage: string, read: () => T): T => {
  if (process.argv.slice(2).includes('--help')) {
    console.log(`usage: ${usage}`)
    process.exit(0)
  }
  try {
    return read()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\nusage: ${usage}`)
    process.exit(2)
  }
}
