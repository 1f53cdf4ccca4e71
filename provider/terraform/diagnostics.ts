/** A message for a person; `at` is the key of the attribute that it is about, which the codec spells. */
export interface Diagnostic extends Text {
  readonly severity: 'error' | 'warning'
  readonly at: string | undefined
}

export interface Text {
  readonly summary: string
  readonly detail?: string | undefined
}

/** An error at an attribute, or about the whole if none is named. */
export const errorAt = (at: string | undefined, text: Text): Diagnostic => ({
  severity: 'error',
  at,
  ...text,
})
export const warningAt = (at: string | undefined, text: Text): Diagnostic => ({
  severity: 'warning',
  at,
  ...text,
})

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error')
