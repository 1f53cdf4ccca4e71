import { entryOf } from '@deploymgmt/provider/engine'
import type { UnknownOutcomeError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { OpenIntent, Session } from '../../state/index.ts'
import { canStillHappen, lostWrite } from '../../apply/intent-forms.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { unknownOutcome } from '../run/unknown-outcomes.ts'

/** The command, and the flags with which others mean the same state. */
type About = { readonly io: Io } & ({ readonly options: CommonOptions } | { readonly sameFlags: string })

/**
 * The outcome of a request is recorded at the request's address. If the record was moved, dropped or accepted before
 * that, the outcome would appear as another thing, or count as known.
 * @throws UnknownOutcomeError
 */
export const refuseWhileUnknown = (
  session: Pick<Session, 'unknown'>,
  about: About,
  addresses: readonly string[],
): void => {
  // An entry means all of its instances.
  const open = session.unknown.filter(
    ({ address }) => addresses.includes(address) || addresses.includes(entryOf(address)),
  )
  if (open.length === 0) return
  throw leftUnknown(open, about)
}

/** Says that these requests have to be settled first. */
export const leftUnknown = (open: readonly OpenIntent[], { io, ...meant }: About): UnknownOutcomeError =>
  unknownOutcome(
    open.map((intent) => ({
      write: lostWrite(intent),
      because: undefined,
      until: canStillHappen(intent, io.now()),
    })),
    'options' in meant ? sameFlagsOf(meant.options) : meant.sameFlags,
  )
