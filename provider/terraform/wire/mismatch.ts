/** A path within a value: attribute names, map keys and indices. */
export type Path = readonly (string | number)[]

/** `notifications[0].type_name`, or `the value` for the whole. */
export const describe = (path: Path): string => {
  if (path.length === 0) return 'the value'
  return path
    .map((step, at) => (typeof step === 'number' ? `[${String(step)}]` : at === 0 ? step : `.${step}`))
    .join('')
}

/** A value that does not fit its type. */
export class Mismatch extends TypeError {
  override readonly name = 'Mismatch'
}

/**
 * Refuses a value that does not fit its type. The message has only the type that was found, because values may be
 * secret.
 */
export const mismatch = (path: Path, wanted: string, found: unknown): never => {
  throw new Mismatch(`${describe(path)}: expected ${wanted}, but found ${nameOf(found)}.`)
}

export const isRecord = <V = unknown>(value: unknown): value is Record<string, V> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

const nameOf = (found: unknown): string => {
  if (found === undefined) return 'nothing'
  if (found === null) return 'null'
  if (Array.isArray(found)) return `an array of ${String(found.length)}`
  return found instanceof Uint8Array ? 'bytes' : `a value of type ${typeof found}`
}
