import { eitherOf } from '../../disk/check.ts'
import { applyShape } from './apply.ts'
import { driftShape } from './drift.ts'
import { failureShape } from './failure.ts'
import { planShape } from './plan.ts'

/** The shape of what each command prints with `--format json`, also where it fails; of an apply, that of a line. */
export const SHAPES = {
  plan: eitherOf('plan', planShape, failureShape),
  apply: applyShape,
  drift: eitherOf('drift', driftShape, failureShape),
} as const
