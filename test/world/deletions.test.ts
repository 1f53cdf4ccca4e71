import { expect, it } from 'vitest'
import { falseClaim } from './histories.ts'
import { deletingSteps } from './steps.ts'

it(
  'who deletes something that an event tells of is named, and nobody else',
  async () => expect(await falseClaim('deletions', deletingSteps, 10)).toBe(''),
  24 * 3_600_000,
)
