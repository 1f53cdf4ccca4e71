/** Declared or answered values by field name. */
export type Values = Readonly<Record<string, unknown>>
/** What names one thing at the service: path parameters by name. */
export type Identity = Readonly<Record<string, string>>
