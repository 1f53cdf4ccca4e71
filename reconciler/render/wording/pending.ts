import type { DriftDocument, SaidDrift } from '../document/drift-model.ts'
import { fieldWords } from './findings.ts'

/** What is declared and not applied yet: what is late, or what is not. */
export const pendingIn = ({ resources }: DriftDocument, { late }: { readonly late: boolean }): SaidDrift[] =>
  resources.filter(({ verdict, isLate }) => verdict === 'pending' && (isLate === true) === late)

/** The same as it is told where there is no room for a table: why, and what was edited of what is recorded. */
export const pendingTold = (
  doc: DriftDocument,
  late: { readonly late: boolean },
  named: (drift: SaidDrift) => string = whatNamed,
): { readonly address: string; readonly reason: string }[] =>
  pendingIn(doc, late).map((drift) => ({ address: named(drift), reason: sayPending(drift, doc) }))

/** `alertConfigurations.noisy (HOST_DOWN)`. */
const whatNamed = ({ address, what }: SaidDrift): string =>
  what === undefined ? address : `${address} (${what})`

/** What is recorded nowhere yet is declared with all of its values: a plan shows them. */
export const sayPending = ({ identity, kind, fields, reason }: SaidDrift, doc: DriftDocument): string =>
  identity === undefined || fields.length === 0
    ? reason
    : [reason, ...fields.map((field) => fieldWords(field, kind, doc))].join('; ')
