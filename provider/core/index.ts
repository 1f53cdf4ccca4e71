export * from './definition.ts'
export * from './expansion.ts'
export * from './field.ts'
export * from './operation.ts'
