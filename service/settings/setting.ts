/** One setting of the service: a row of docs/service-settings.md. */
export interface Setting {
  readonly name: string
  /** What a value may be: one of a closed set, or a form with a check. */
  readonly values: readonly string[]
  /** Says whether a value that is not among `values` is allowed; absent for closed sets. */
  readonly accepts?: (value: string) => boolean
  readonly default: string
  readonly meaning: string
  /** The endpoints concerned, where it is not all of them. */
  readonly endpoints?: readonly number[]
}

/** A setting with a closed set of values, the default first. */
export const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
  meaning: string,
  endpoints?: readonly number[],
): Omit<Setting, 'name'> & { readonly values: V } => ({
  values,
  default: values[0],
  meaning,
  ...(endpoints ? { endpoints } : {}),
})
