import type { WatchedService } from '../service.ts'

/**
 * How the answer to a write is lost or becomes an error. Only those that end in `before` keep the write from taking
 * effect.
 */
export const LOSSES = [
  'reset-after',
  'reset-before',
  'truncate',
  'malformed',
  '503 before',
  '500 after',
  '408 after',
  '429 before',
] as const
export type Loss = (typeof LOSSES)[number]

/** Whether the service has carried out the write. */
export const hasEffect = (loss: Loss): boolean => !loss.endsWith('before')

/** Whether the answer says that nothing was done, so that the request is sent again at once. */
export const isSentAgain = (loss: Loss): boolean => loss === '429 before'

export const lose = (
  service: WatchedService,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  loss: Loss,
): void => {
  if (loss === '500 after' || loss === '408 after') service.failAfter(method, path, Number.parseInt(loss, 10))
  else service.fault('run', { method, path, count: 1, ...SPECS[loss] })
}

const SPECS = {
  'reset-after': { fault: 'reset-after' },
  'reset-before': { fault: 'reset-before' },
  truncate: { fault: 'truncate' },
  malformed: { fault: 'malformed' },
  '503 before': { fault: 'status', status: 503 },
  '429 before': { fault: 'status', status: 429, retryAfter: 0 },
} as const
