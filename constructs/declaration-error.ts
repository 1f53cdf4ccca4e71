import type { IConstruct } from 'constructs'

/** One thing that is wrong, and with which property. */
export interface Problem {
  readonly property: string
  readonly message: string
}

/** A declaration that cannot be meant; thrown when the construct is made, with everything that is wrong. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  declare readonly constructPath: string
  declare readonly problems: readonly Problem[]

  constructor(construct: IConstruct, problems: readonly Problem[]) {
    const lines = problems.map(({ property, message }) => `${property}: ${message}`)
    const { path } = construct.node
    super(
      lines.length === 1
        ? `${path}: ${lines[0] ?? ''}`
        : `${path}: ${lines.length} problems\n${lines.map((line) => `  ${line}`).join('\n')}`,
    )
    // Node prints what can be enumerated below the message, which says all of it.
    Object.defineProperties(this, { constructPath: { value: path }, problems: { value: problems } })
  }
}

/** Throws where something is wrong. */
export const refuse = (construct: IConstruct, problems: readonly Problem[]): void => {
  if (problems.length > 0) throw new DeclarationError(construct, problems)
}
