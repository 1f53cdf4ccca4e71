export type * from './model.ts'
export { ACTIONS } from './model.ts'
