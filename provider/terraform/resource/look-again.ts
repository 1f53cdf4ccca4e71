import { isReadable, type KindDefinition } from '../../core/index.ts'
import { parseInstant, wholeSecond } from '../../core/instant.ts'
import {
  eventsAbout,
  readAndPlan,
  settle,
  type LostWrite,
  type PlannedChange,
  type Run,
  type RunInput,
} from '../../engine/index.ts'
import { changedMeanwhile, notSentAgain } from '../words/applies.ts'
import { errorAt, hasErrors, type Diagnostic } from '../diagnostics.ts'
import type { Tools } from './carry-out.ts'

export interface Given {
  readonly run: Run
  readonly input: RunInput
  readonly tools: Tools
  /** What an apply refuses in a plan. */
  readonly refuse: (run: Run) => readonly Diagnostic[]
}

/** The result of looking again after lost answers. */
export interface Look {
  readonly run: Run
  /** The writes in question. */
  readonly about: readonly LostWrite[]
  /** What is still to be done about the writes in question. */
  readonly planned: readonly PlannedChange[]
  /** Why a write is not sent again, by address. */
  readonly refused: ReadonlyMap<string, readonly Diagnostic[]>
}

/** Settles lost writes by reading, and plans again what is still to be done about them. */
export const lookAgain = async (
  definition: KindDefinition,
  { lost, made }: { readonly lost: readonly LostWrite[]; readonly made: readonly LostWrite[] },
  { input, tools: { client, ledger }, refuse }: Given,
): Promise<Look> => {
  const { declaration } = input
  const { records } = ledger
  const { settled, open } = await settle(lost, { definitions: [definition], declaration, records, client })
  for (const { effects } of settled) await ledger.effects(effects)
  ledger.leaveUnsure(open.map(({ write }) => write))
  const refused = new Map<string, readonly Diagnostic[]>(
    open.map(({ write, because }) => [write.address, [errorAt(undefined, notSentAgain(because))]]),
  )
  const run = await readAndPlan(client, { ...input, records })
  const about = [...lost, ...made]
  const again = about.filter(({ address }) => !refused.has(address))
  const planned = run.plan.planned.filter(({ change }) =>
    again.some(({ address }) => address === change.address),
  )
  for (const each of planned.filter(isSent)) {
    const { address } = each.change
    const write = lost.find((one) => one.address === address && !refused.has(address))
    const conflicts = [
      ...refuse({ ...run, plan: { ...run.plan, planned: [each] } }),
      ...(write === undefined ? [] : await conflictOf(definition, write, { records, client, declaration })),
    ]
    if (hasErrors(conflicts)) refused.set(address, conflicts)
  }
  return { run, about, planned, refused }
}

/**
 * A reading shows the live values, and not who wrote them last: events tell who has written since our request. If the
 * key may not read events, the reading has to suffice, as for a plan.
 */
const conflictOf = async (
  definition: KindDefinition,
  { address, at, fields }: LostWrite,
  { records, client, declaration }: Pick<RunInput, 'records' | 'declaration'> & Pick<Tools, 'client'>,
): Promise<Diagnostic[]> => {
  const record = records[address]
  if (!isReadable(definition) || record === undefined) return []
  const since = wholeSecond(parseInstant(at))
  const asOf = { ...record, watermark: at }
  const known = { definitions: [definition], declaration, records }
  const { about } = await eventsAbout(client, [{ definition, record: asOf }], known)
  const events = (about.get(asOf)?.events ?? []).filter(({ created }) => parseInstant(created) >= since)
  const changed = fields.map((name) => ({ name }))
  const told = { changed, events, ownKey: client.publicKey }
  return events.length === 0 ? [] : [errorAt(undefined, changedMeanwhile(definition, record.identity, told))]
}

export const isSent = ({ work }: PlannedChange): boolean =>
  work.do === 'write' || work.do === 'delete' || work.do === 'release'
