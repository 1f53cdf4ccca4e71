import { given, didYouMean, own, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'
import { checkGiven, checkShape, type Shape } from './shape.ts'

/** Changes by name: a part replaces what it names, and `null` removes the thing. */
export type Changes<K extends PropertyKey, T> = { readonly [name in K]?: Partial<T> | null }

/** The things of a baseline with the changes applied. */
export const changed = <T extends object>(
  things: Readonly<Record<string, T>>,
  changes: Readonly<Record<string, Partial<T> | null | undefined>>,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(things).flatMap(([name, thing]) => {
      const change = own(changes, name)
      return change === null ? [] : [[name, { ...thing, ...change }]]
    }),
  )

/** Refuses changes of unknown names and properties, which would silently do nothing. */
export const checkChanges = <T>(
  property: string,
  things: object,
  changes: object,
  shape: Shape<T>,
): Problem[] =>
  Object.entries(changes).flatMap(([name, change]: [string, unknown]) => {
    const at = `${property}.${name}`
    if (!Object.hasOwn(things, name))
      return [problem(at, `the baseline has no "${name}"${didYouMean(name, Object.keys(things))}`)]
    if (change === null) return []
    const found = checkShape(at, change, optional(shape))
    return found.length > 0 ? found : checkGiven(at, change as object)
  })

/** The shape with every part optional. */
const optional = <T>(shape: Shape<T>): Shape<T> =>
  Object.fromEntries(
    Object.entries<Shape<T>[keyof Shape<T>]>(shape).map(([name, { is, late }]) => [
      name,
      given({ is, late }),
    ]),
  ) as Shape<T>
