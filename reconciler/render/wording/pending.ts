import { ended } from '@deploymgmt/provider/core'
import type { DriftDocument, ReportedDrift } from '../document/drift-model.ts'
import { projectNamesIn } from '../document/about.ts'
import { besideDrift } from './beside-address.ts'
import { fieldWords } from './findings.ts'

/** Unapplied declarations: the late ones, or the others. */
export const pendingIn = (
  { resources }: DriftDocument,
  { late }: { readonly late: boolean },
): ReportedDrift[] =>
  resources.filter(({ verdict, isLate }) => verdict === 'pending' && (isLate === true) === late)

/** The same if there is no room for a table: the reason, and the edits of recorded things. */
export const pendingTold = (
  doc: DriftDocument,
  late: { readonly late: boolean },
  named: (drift: Named) => string = whatNamed,
): { readonly address: string; readonly reason: string }[] =>
  pendingIn(doc, late).map((drift) => ({
    address: named(namedIn(drift, doc)),
    reason: sayPending(drift, doc),
  }))

type Named = Pick<ReportedDrift, 'address' | 'what'>

/** A thing with what its address does not say. */
const namedIn = (drift: ReportedDrift, { about }: Pick<DriftDocument, 'about'>): Named => ({
  address: drift.address,
  ...besideDrift(drift, projectNamesIn(about)),
})

/** `alertConfigurations.noisy (project payments, HOST_DOWN)`. */
const whatNamed = ({ address, what }: Named): string =>
  what === undefined ? address : `${address} (${what})`

/**
 * A thing without a record is declared with all of its values, which a plan shows. What an apply cannot do is followed
 * by what a person does.
 */
export const sayPending = (
  { identity, kind, fields, reason, byHand }: ReportedDrift,
  doc: DriftDocument,
): string => {
  const told = identity === undefined ? [] : fields.map((field) => fieldWords(field, kind, doc))
  const said = [reason, ...told].join('; ')
  return byHand === undefined ? said : `${ended(said)} ${byHand}`
}
