export * from './capitalized.ts'
export * from './say-instant.ts'
export * from './say-number.ts'
export * from './spelt-out.ts'
