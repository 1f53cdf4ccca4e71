import type { SaidDrift } from './drift-model.ts'

const GONE: ReadonlySet<string | undefined> = new Set(['not-found', 'gone-at-service'])

/** Whether what has drifted is no longer there, or was not at the last write. */
export const isGone = ({ reasonCode }: Pick<SaidDrift, 'reasonCode'>): boolean => GONE.has(reasonCode)
