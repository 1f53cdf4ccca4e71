import { expect, it } from 'vitest'
import { falseClaim } from './histories.ts'
import { troubledSteps } from './steps.ts'

it(
  'every claim of a report is true, whatever goes wrong',
  async () => expect(await falseClaim('trouble', troubledSteps)).toBe(''),
  24 * 3_600_000,
)
