import type { Command, Option } from 'commander'

/** The library would drop the first of two values, unnoticed; this makes a second one an error of the words. */
export const refuseTwice = (program: Command): void => {
  for (const option of program.options.filter(takesOne)) {
    let isGiven = false
    program.on(`option:${option.name()}`, () => {
      if (isGiven) program.error(`${option.long ?? option.flags} takes one value, and is given twice`)
      isGiven = true
    })
  }
  for (const command of program.commands) refuseTwice(command)
}

/** An option can be repeated if its help says so. */
const takesOne = ({ required, optional, description }: Option): boolean =>
  (required || optional) && !description.includes('can be repeated')
