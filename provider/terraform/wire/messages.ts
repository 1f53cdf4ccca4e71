/** The messages of plugin protocol 6, in one place to import from. */
export * from './common-messages.ts'
export * from './provider-messages.ts'
export * from './schema-messages.ts'
