import { line, span, type Line } from './lines.ts'
import { shellWord } from './sentences.ts'

/** Only a person can look whether a request of unknown outcome took effect; these say what was found. */
export const resolveCommands = (address: string): Line[] => [
  [
    span('If it took effect:   ', 'dim'),
    ...line(`deploymgmt state resolve ${shellWord(address)} --created ID`),
  ],
  [
    span('If it did not:       ', 'dim'),
    ...line(`deploymgmt state resolve ${shellWord(address)} --not-created`),
  ],
]
