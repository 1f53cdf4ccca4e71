import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Ledger, LostWrite } from '@deploymgmt/provider/engine'
import type { OpenIntent, Session } from '../state/index.ts'

/** The state's session as the ledger that the engine writes to. */
export const sessionLedger = (session: Session): Ledger => ({
  get records() {
    return session.state.resources
  },
  intent: ({ at, expected, fields, body, by, ...intent }) =>
    session.intent({
      ...intent,
      ...(body === undefined ? {} : { body }),
      detail: { expected, fields, sentAt: at, by },
    }),
  answered: (n, status, effects) => session.answered(n, effects, status),
  refused: (n, error) => session.refused(n, said(error)),
  unknown: (n, error) => session.unknownOutcome(n, said(error)),
  effects: (effects) => session.effects(effects),
})

const said = ({ code, message }: DeploymgmtError): string => `${code}: ${message}`

/** An intent of the journal without an answer, as the engine settles it. */
export const lostWrite = ({
  n,
  address,
  kind,
  method,
  path,
  detail,
  at,
  errorAt,
  bound,
}: OpenIntent): LostWrite => {
  const { sentAt, ...known } = detail
  const tookMs = Date.parse(errorAt ?? '') - Date.parse(at)
  return {
    n,
    address,
    kind,
    method,
    path,
    ...known,
    at: sentAt,
    // The clock of the machine was set back meanwhile: nobody knows how long it took.
    ...(tookMs >= 0 ? { tookMs } : {}),
    ...(bound === undefined ? {} : { bound }),
  }
}
