import type { KindDefinition } from '../core/index.ts'

/** The words that `allow` takes for a kind: those of the command's flags. */
export const allowable = ({ guards, expand }: KindDefinition): string[] => [
  ...new Set([
    ...(expand.shows?.once === 'gone' ? ['delete'] : []),
    ...guards.map(({ flag }) => wordOf(flag)),
  ]),
]

export const wordOf = (flag: string): string => flag.replace(/^--allow-/, '')
