export { checkArguments } from './arguments.ts'
export { check, elementKey } from './check.ts'
export { checkManifest } from './manifest.ts'
export { isAdvice, type Facts, type Problem, type ProblemCode, type Within } from './problem.ts'
