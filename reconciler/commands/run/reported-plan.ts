import { secretsOf } from '@deploymgmt/provider/engine'
import type { Words } from '@deploymgmt/provider/words'
import { missingSecrets, refuseShownSecrets, secretReader } from '../../apply/secrets.ts'
import type { Io } from '../../io.ts'
import type { PlanDocument, ReportedGate } from '../../render/document/plan-model.ts'
import { planDocument } from '../../render/document/plan-document.ts'
import type { ReadSession } from '../../state/index.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { noState, shownState } from '../resolve/state.ts'
import { unreadWarnings } from '../resolve/unread-warnings.ts'
import { notingAccepted } from './accepted-place.ts'
import { alsoRecordedThere } from './also-recorded.ts'
import { lookAtGates, pathsSent } from './gates.ts'
import { withNotices } from './plan-notices.ts'
import { planWords } from './plan-words.ts'
import type { ReadRun } from './read-run.ts'

/** A plan as it is reported, with what was found out for the report. */
export interface ReportedPlan {
  readonly words: Words
  readonly gates: readonly ReportedGate[]
  /** The plan without notices: what is compared with a saved plan. */
  readonly bare: PlanDocument
  /** The plan with all notices: what is shown. */
  readonly document: PlanDocument
  /** Secrets that an apply of the plan needs and that are missing. */
  readonly missing: Awaited<ReturnType<typeof missingSecrets>>
  /** Words and warnings after an apply: there is a state by then, if the apply has created one. */
  readonly afterwards: () => Pick<PlanDocument, 'warnings'> & { readonly words: Words }
}

interface Found extends Pick<
  ReadRun,
  'about' | 'client' | 'loaded' | 'records' | 'run' | 'recordedThere' | 'toSettle' | 'provisional'
> {
  readonly session: Pick<ReadSession, 'exists' | 'place' | 'state'>
}

/** Makes the report of a plan. @throws SecretError before any of it is shown */
export const reportedPlan = async (
  io: Io,
  options: CommonOptions,
  { about, client, loaded, session, records, run, recordedThere, toSettle, provisional }: Found,
): Promise<ReportedPlan> => {
  const { entries } = loaded.declaration
  const missing = await missingSecrets(secretsOf(run.plan.planned), secretReader(io))
  refuseShownSecrets(entries, io.secrets)
  const words = planWords(loaded, session, options)
  const gates = await lookAtGates(client, loaded, pathsSent(run, provisional), options)
  const { requestsSent } = client
  const { all = false, target } = options
  const shown = { toSettle, requestsSent, gates, all, target, called: session.state.projects }
  const bare = planDocument(run.plan, words, { about, entries, ...shown })
  const noted = await notingAccepted(io, loaded, run.now, bare)
  const notices = {
    unread: await unreadWarnings(io, options, loaded, { run, records, session }),
    alsoThere: await alsoRecordedThere(run.plan, recordedThere),
    notKept: noState(io, session),
    sameFlags: sameFlagsOf(options),
    skewMs: client.skewMs,
  }
  const afterwards = (): ReturnType<ReportedPlan['afterwards']> => {
    const then = planWords(loaded, session, options)
    const begun = session.exists ? { begunAt: shownState(io, session.place) } : {}
    const warnings = [...run.plan.warnings.map(then.says), ...noted.warnings.slice(bare.warnings.length)]
    return { words: then, warnings: withNotices({ ...noted, warnings }, { ...notices, ...begun }).warnings }
  }
  return { words, gates, bare, document: withNotices(noted, notices), missing, afterwards }
}
