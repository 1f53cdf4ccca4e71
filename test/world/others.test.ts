import { expect, it } from 'vitest'
import { falseClaim } from './histories.ts'
import { steps } from './steps.ts'

it(
  'every claim of a report is true, whatever others have done',
  async () => expect(await falseClaim('others', steps)).toBe(''),
  24 * 3_600_000,
)
