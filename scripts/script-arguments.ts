/**
 * The arguments of a script, as it reads them. With `--help`, prints the usage and ends; if reading them fails, prints
 * why and the usage, and ends with 2.
 */
export const scriptArguments = <T>(usage: string, read: () => T): T => {
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
