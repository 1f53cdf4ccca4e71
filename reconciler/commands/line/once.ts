import { Option, type Command } from 'commander'

/** An option that takes one more value each time it is given. */
export class Repeatable extends Option {
  constructor(flags: string, what: string) {
    super(flags, `${what}; can be repeated`)
  }
}

/**
 * The library would drop the first of two values, or of a flag and its opposite, unnoticed; this makes the second one
 * an error of the words.
 */
export const refuseTwice = (program: Command): void => {
  for (const opposites of oppositesIn(program)) {
    const given = new Set<Option>()
    for (const option of opposites)
      program.on(`option:${option.name()}`, () => {
        if (given.add(option).size > 1)
          program.error(`${opposites.map(namesOf).join(' and ')} exclude each other`)
      })
  }
  for (const option of program.options.filter(takesOne)) {
    let isGiven = false
    program.on(`option:${option.name()}`, () => {
      if (isGiven) program.error(`${namesOf(option)} takes one value, and is given twice`)
      isGiven = true
    })
  }
  for (const command of program.commands) refuseTwice(command)
}

/** Flags with which the same thing is asked for and refused, such as `--policy` and `--no-policy`. */
const oppositesIn = ({ options }: Command): Option[][] =>
  [...Map.groupBy(options, (option) => option.attributeName()).values()].filter(({ length }) => length > 1)

const takesOne = (option: Option): boolean =>
  (option.required || option.optional) && !(option instanceof Repeatable)

/** A second long name is the usual one, such as `--project` for `--project-id`. */
const namesOf = ({ short, long, flags }: Option): string =>
  short?.startsWith('--') === true ? `${short} (${long ?? ''})` : (long ?? flags)
