import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Intent, Ledger, LostWrite } from '@deploymgmt/provider/engine'
import type { OpenIntent, Session } from '../state/index.ts'

/** What an intent's detail holds, so that a later run can tell what became of it. */
interface IntentDetail extends Record<string, unknown> {
  readonly expected: Intent['expected']
  readonly fields: Intent['fields']
  /** Service time at which it was about to leave. */
  readonly sentAt: string
  /** The public key that sent it. */
  readonly by?: string | undefined
}

/** The state's session as the ledger that the engine writes to. */
export const sessionLedger = (session: Session): Ledger => ({
  get records() {
    return session.state.resources
  },
  intent: ({ at, expected, fields, body, by, ...intent }) => {
    const detail: IntentDetail = { expected, fields, sentAt: at, by }
    return session.intent({ ...intent, ...(body === undefined ? {} : { body }), detail })
  },
  answered: (n, status, effects) => session.answered(n, effects, status),
  refused: (n, error) => session.refused(n, said(error)),
  unknown: (n, error) => session.unknownOutcome(n, said(error)),
  effects: (effects) => session.effects(effects),
})

const said = ({ code, message }: DeploymgmtError): string => `${code}: ${message}`

/** An intent of the journal without an answer, as the engine settles it. */
export const lostWrite = ({ n, address, kind, method, path, detail, at, errorAt }: OpenIntent): LostWrite => {
  const { expected, fields, sentAt, by } = detail as IntentDetail
  return {
    n,
    address,
    kind,
    method: method as LostWrite['method'],
    path,
    expected,
    fields,
    at: sentAt,
    by,
    ...(errorAt === undefined ? {} : { tookMs: Date.parse(errorAt) - Date.parse(at) }),
  }
}
