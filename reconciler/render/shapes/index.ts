import { applyShape } from './apply.ts'
import { driftShape } from './drift.ts'
import { planShape } from './plan.ts'

/** The shape of what each command prints with `--format json`; of an apply, that of a line. */
export const SHAPES = { plan: planShape, apply: applyShape, drift: driftShape } as const
