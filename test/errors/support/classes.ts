import * as providerErrors from '@deploymgmt/provider/errors'
import * as reconcilerErrors from '../../../reconciler/errors/index.ts'

/** A class of errors, as a module exports it. Base classes have no code. */
type ErrorClass = (abstract new (...given: never[]) => Error) & {
  readonly code: string
  readonly meaning: string
  readonly remedy: string
}

export const classesIn = (module: object): ErrorClass[] =>
  Object.values(module).filter((each) => typeof each === 'function' && each.prototype instanceof Error)

const exported = classesIn({ ...providerErrors, ...reconcilerErrors })

/** The errors that users can get: each class has its own code. */
export const CLASSES = exported.filter((each) => Object.hasOwn(each, 'code'))

/** Classes without a code are only bases of others, and are never thrown. */
export const BASES = exported.filter((each) => !Object.hasOwn(each, 'code'))
