import type { ReportedDrift } from './drift-model.ts'

const GONE: ReadonlySet<string | undefined> = new Set(['not-found', 'gone-at-service'])

/** Whether a drifted thing no longer exists, or did not at the last write. */
export const isGone = ({ reasonCode }: Pick<ReportedDrift, 'reasonCode'>): boolean => GONE.has(reasonCode)
