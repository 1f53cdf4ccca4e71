import { eitherOf } from '../../disk/check.ts'
import { applyShape } from './apply.ts'
import { driftShape } from './drift.ts'
import { failureShape } from './failure.ts'
import { planShape } from './plan.ts'

/** The shape of each command's `--format json` output, including failures; for an apply, of one line. */
export const SHAPES = {
  plan: eitherOf('plan', planShape, failureShape),
  apply: applyShape,
  drift: eitherOf('drift', driftShape, failureShape),
} as const
