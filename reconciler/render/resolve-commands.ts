import { line, span, type Line } from '../text/lines.ts'
import { shellWord } from '../text/display.ts'
import type { Style } from '../text/style.ts'

/** The commands that say what became of a request; what is not a creation has no id to be named. */
export const resolveCommands = (address: string, wasCreation: boolean, sameFlags = ''): string[] => {
  const command = `deploymgmt state resolve ${shellWord(address)}`
  return [
    ...(wasCreation ? [`${command} --created ID${sameFlags}`] : []),
    `${command} --not-created${sameFlags}`,
  ]
}

/** The same for a person, who alone can look whether the request took effect. */
export const resolveLines = (
  address: string,
  wasCreation: boolean,
  { sameFlags = '' }: Pick<Style, 'sameFlags'>,
): Line[] => {
  // What is not a creation can be sent again: the next plan finds out by itself.
  const labels = wasCreation ? ['it is there:      ', 'it is not there:  '] : ['when you have looked:  ']
  return resolveCommands(address, wasCreation, sameFlags).map((command, index) => [
    span(labels[index] ?? '', 'dim'),
    ...line(command),
  ])
}
