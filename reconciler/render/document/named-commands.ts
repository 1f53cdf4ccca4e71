import { countBy } from '@deploymgmt/provider/core'
import { shellWord } from '../../text/display.ts'

/** Stands for the address: things with the same words can be shown together. */
const ADDRESS = 'ADDRESS'
const ABOUT_A_THING = ['deploymgmt state accept', 'deploymgmt state forget'] as const

type AboutAThing = (typeof ABOUT_A_THING)[number]

/** A command about the thing that a text is about, without its address; `flags` follow, each after a space. */
export const commandAbout = (command: AboutAThing, flags: string): string => `${command} ${ADDRESS}${flags}`

const COMMAND = new RegExp(`(${ABOUT_A_THING.join('|')}) ${ADDRESS}`, 'g')

const hasCommandAbout = (text: string): boolean => text.search(COMMAND) >= 0

/** A text whose commands name the thing. */
export const naming = (text: string, address: string): string =>
  text.replaceAll(COMMAND, (_, command: string) => `${command} ${shellWord(address)}`)

interface Advised {
  readonly address: string
  readonly byHand?: string
  readonly notes?: readonly string[]
}

/**
 * The commands of each thing name it, unless others share its words.
 * @param recordedAt the address that the state has for a thing, until an apply has renamed it
 */
export const withCommandsNamed = <T extends Advised>(
  things: readonly T[],
  recordedAt: (address: string) => string = (address) => address,
): T[] => {
  const advice = ({ byHand, notes = [] }: T): string[] => [byHand ?? '', ...notes].filter(hasCommandAbout)
  const counts = countBy(things.flatMap(advice), (text) => text)
  return things.map((each) => {
    if (advice(each).length === 0) return each
    const { address, byHand, notes } = each
    const named = (text: string): string =>
      (counts[text] ?? 0) > 1 ? text : naming(text, recordedAt(address))
    return {
      ...each,
      ...(byHand === undefined ? {} : { byHand: named(byHand) }),
      ...(notes === undefined ? {} : { notes: notes.map(named) }),
    }
  })
}
