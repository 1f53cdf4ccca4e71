import { meant, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'

/** Changes by name: a part replaces what it names, and `null` takes the thing out. */
export type Changes<K extends PropertyKey, T> = { readonly [name in K]?: Partial<T> | null }

/** The things of a baseline, changed. */
export const changed = <T extends object>(
  things: Readonly<Record<string, T>>,
  changes: Readonly<Record<string, Partial<T> | null | undefined>>,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(things).flatMap(([name, thing]) => {
      const change = changes[name]
      return change === null ? [] : [[name, { ...thing, ...change }]]
    }),
  )

/** A change of what is not there would silently do nothing. */
export const checkChanges = (property: string, things: object, changes: object): Problem[] =>
  Object.keys(changes)
    .filter((name) => !Object.hasOwn(things, name))
    .map((name) =>
      problem(`${property}.${name}`, `the baseline has no "${name}"${meant(name, Object.keys(things))}`),
    )
