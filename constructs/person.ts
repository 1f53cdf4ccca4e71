import type { IConstruct } from 'constructs'
import { checkId, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'
import { refusalOfSecret } from './secret.ts'
import { checkShapes, flag, lateText, type Shape } from './shape.ts'

/** A person who gets an account. */
export interface NewPerson {
  /** Name to sign in with. */
  readonly username: string
  readonly emailAddress: string
  readonly firstName: string
  readonly lastName: string
  readonly mobileNumber: string
  /**
   * The value of a `SecretVariable`: a text would be in the output of synthesis. Sent by the creation, stored
   * nowhere.
   */
  readonly password: string
  readonly userId?: never
  readonly rolesComplete?: never
}

/** A person who has an account already. */
export interface ExistingPerson {
  readonly userId: string
  /** States that the table lists all roles of the person, because the API may replace all of them. */
  readonly rolesComplete: true
  readonly username?: string
}

export type Person = NewPerson | ExistingPerson

const NEEDED = ['username', 'emailAddress', 'firstName', 'lastName', 'mobileNumber', 'password'] as const

const SHAPE: Shape<Record<(typeof NEEDED)[number] | 'userId' | 'rolesComplete', unknown>> = {
  username: lateText,
  emailAddress: lateText,
  firstName: lateText,
  lastName: lateText,
  mobileNumber: lateText,
  password: lateText,
  userId: lateText,
  rolesComplete: flag,
}

export const checkPeople = (property: string, people: object): Problem[] =>
  checkShapes(property, people, SHAPE)

export const checkPerson = (scope: IConstruct, property: string, person: Person): Problem[] => {
  if (person.userId !== undefined) {
    const complete = (person as { rolesComplete?: unknown }).rolesComplete === true
    return [
      ...checkId(`${property}.userId`, person.userId),
      ...(complete
        ? []
        : [problem(`${property}.rolesComplete`, 'has to be true: the API may replace all roles of a user')]),
    ]
  }
  const missing = NEEDED.filter((name) => typeof person[name] !== 'string' || person[name] === '')
  const found = missing.map((name) => problem(`${property}.${name}`, 'is needed to create a user'))
  const refusal = missing.includes('password') ? undefined : refusalOfSecret(scope, person.password)
  return refusal === undefined ? found : [...found, problem(`${property}.password`, refusal)]
}
