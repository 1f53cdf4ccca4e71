import type { IConstruct } from 'constructs'

/** A mistake, and its property. */
export interface Problem {
  readonly property: string
  readonly message: string
}

/** An invalid declaration; thrown when the construct is created, with all mistakes. */
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
    // Not enumerable, because Node prints enumerable properties below the message, which already contains them.
    Object.defineProperties(this, { constructPath: { value: path }, problems: { value: problems } })
  }
}

/** Throws if there are problems. */
export const refuse = (construct: IConstruct, problems: readonly Problem[]): void => {
  if (problems.length > 0) throw new DeclarationError(construct, problems)
}
