import type { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Ledger } from '@deploymgmt/provider/engine'
import type { Session } from '../state/index.ts'
import { recordedAs } from './intent-forms.ts'
import type { IntentsAhead } from './intents-ahead.ts'

/** The state's session as the ledger of the engine, together with intents that were written ahead. */
export const sessionLedger = (session: Session, ahead?: Pick<IntentsAhead, 'take'>): Ledger => ({
  get records() {
    return session.state.resources
  },
  get unrecorded() {
    return session.state.unrecorded ?? []
  },
  intent: async (intent) =>
    (await ahead?.take(intent)) ?? { n: await session.intent(recordedAs(intent)), at: intent.at },
  answered: (n, status, effects, closes) => session.answered(n, effects, status, closes),
  refused: (n, error) => session.refused(n, said(error)),
  withdrawn: (n) => session.withdrawn(n),
  unknown: (n, error) => session.unknownOutcome(n, said(error)),
  effects: (effects) => session.effects(effects),
  learnt: (kind, fact) => session.learn(kind, fact),
})

const said = ({ code, message }: DeploymgmtError): string => `${code}: ${message}`
