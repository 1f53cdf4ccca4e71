import type { KindDefinition } from '../core/index.ts'

/** Applying over what someone else has changed after the plan; every kind has it. */
export const OVERWRITE = 'overwrite'

/** The words that `allow` takes for a kind: those of the command's flags. */
export const allowable = ({ guards, expand }: KindDefinition): string[] => [
  ...new Set([
    ...(expand.shows?.once === 'gone' ? ['delete'] : []),
    ...guards.map(({ flag }) => wordOf(flag)),
    OVERWRITE,
  ]),
]

export const wordOf = (flag: string): string => flag.replace(/^--allow-/, '')
