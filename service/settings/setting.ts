/** One setting of the service: a row of docs/service-settings.md or docs/open-readings.md. */
export interface Setting {
  readonly name: string
  /** The allowed values: a closed set, or a form with a check. */
  readonly values: readonly string[]
  /** Whether a value that is not in `values` is allowed; absent for closed sets. */
  readonly accepts?: (value: string) => boolean
  readonly default: string
  readonly meaning: string
  /** The affected endpoints, if not all. */
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
