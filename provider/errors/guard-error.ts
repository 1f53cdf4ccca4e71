import { DeploymgmtError } from './deploymgmt-error.ts'

/** A write that could do lasting harm, and that no flag has asked for. */
export class GuardError extends DeploymgmtError {
  static override readonly code = 'DM-GUARD'
  static override readonly meaning =
    'A change was refused because it could do lasting harm: removing an owner, deleting because of an only-list, removing or changing many things at once, or overwriting what somebody else has just changed.'
  static override readonly remedy =
    'Read the reason. If you do want the change, repeat the command with the flag that the message names.'

  readonly needs: readonly { readonly flag: string; readonly because: string; readonly address?: string }[]

  constructor(needs: readonly { flag: string; because: string; address?: string }[]) {
    const lines = needs.map(
      ({ address = 'the plan', because, flag }) => `${address} needs ${flag}: ${because}`,
    )
    super(lines.join('; '), {
      hint: `If you do want this, repeat the command with ${[...new Set(needs.map(({ flag }) => flag))].join(' ')}.`,
    })
    this.needs = needs
  }
}
