import { line, span, type Line } from './lines.ts'
import { shellWord } from './sentences.ts'
import type { Style } from './style.ts'

/** The commands alone, for whoever reads data. */
export const resolveWords = (address: string, wasCreation: boolean, again = ''): string[] => {
  const command = `deploymgmt state resolve ${shellWord(address)}`
  return [...(wasCreation ? [`${command} --created ID${again}`] : []), `${command} --not-created${again}`]
}

/** Only a person can look whether a request of unknown outcome took effect; these say what was found. */
export const resolveCommands = (
  address: string,
  wasCreation: boolean,
  { again = '' }: Pick<Style, 'again'>,
): Line[] => {
  const command = `deploymgmt state resolve ${shellWord(address)}`
  const not = (label: string): Line => [span(label, 'dim'), ...line(`${command} --not-created${again}`)]
  // What is not a creation can be sent again: the next plan finds out by itself.
  if (!wasCreation) return [not('when you have looked:  ')]
  return [
    [span('it is there:      ', 'dim'), ...line(`${command} --created ID${again}`)],
    not('it is not there:  '),
  ]
}
