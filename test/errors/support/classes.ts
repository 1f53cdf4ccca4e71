import * as providerErrors from '@deploymgmt/provider/errors'
import * as reconcilerErrors from '../../../reconciler/errors/index.ts'

/** A class of errors, as a module exports it; the base of others has no code. */
export type ErrorClass = (abstract new (...given: never[]) => Error) & {
  readonly code: string
  readonly meaning: string
  readonly remedy: string
}

export const classesIn = (module: object): ErrorClass[] =>
  Object.values(module).filter((each) => typeof each === 'function' && each.prototype instanceof Error)

const exported = classesIn({ ...providerErrors, ...reconcilerErrors })

/** The errors a person can meet: each has a code of its own, by which it is known. */
export const CLASSES = exported.filter((each) => Object.hasOwn(each, 'code'))

/** What has none is the base of others, and is never thrown. */
export const BASES = exported.filter((each) => !Object.hasOwn(each, 'code'))
