export * from './document.ts'
export { commandWords } from './words.ts'
export type { Style } from '../text/style.ts'
export { renderPlan, type PlanHead, type ReportStyle } from './plan-text.ts'
export { renderDrift, type DriftHead } from './drift-text.ts'
export type * from './apply-events.ts'
export { renderApplyEvent, renderApplySummary } from './apply-text.ts'
export {
  createProgress,
  progressText,
  type Progress,
  type ProgressOptions,
  type ProgressUpdate,
} from '../text/progress.ts'
export { renderRead } from './table-text.ts'
export { resolveWords } from './resolve.ts'
export { renderStateList, renderStateShow, type StateRow } from './state-text.ts'
export { showValue } from '../text/values.ts'
