import type { KindDefinition } from '../../core/index.ts'
import {
  reason,
  settle,
  stepAside,
  takeSteps,
  type Answers,
  type LostWrite,
  type Provisional,
  type Reason,
  type RunInput,
  type Settled,
  type WriteContext,
} from '../../engine/index.ts'
import type { CreationOutcome } from '../connection/creations.ts'
import type { Tools } from './carry-out.ts'
import { consentOf, type ResourceChange } from './change.ts'
import type { MemoryLedger } from './memory-ledger.ts'

interface Given {
  readonly input: RunInput
  readonly tools: Tools
}

/** How many times a candidate is asked at most. */
const MOST = 3

/**
 * Finds out from events what a creation has made whose answer was lost, by the rules of the command: candidates are
 * asked, and their answers tell which creation made which. All lost creations of the kind are settled together. What
 * this one made goes into the ledger, with its id if that is told.
 */
export const settleCreation = async (
  definition: KindDefinition,
  write: LostWrite,
  change: ResourceChange,
  given: Given,
): Promise<CreationOutcome | undefined> => {
  const { creations, ledger } = given.tools
  const outcome = await creations.outcomeOf(write, (open) =>
    settleTogether(
      definition,
      open.filter(({ kind }) => kind === write.kind),
      change,
      given,
    ),
  )
  if (outcome?.is === 'made') {
    const { address } = write
    await ledger.effects([...stepAside(definition, address, ledger.records[address]), ...outcome.effects])
  }
  return outcome
}

const settleTogether = async (
  definition: KindDefinition,
  lost: readonly LostWrite[],
  change: ResourceChange,
  { input: { declaration }, tools: { client, ledger, creations } }: Given,
): Promise<ReadonlyMap<LostWrite, CreationOutcome>> => {
  const { records, unrecorded } = ledger
  const definitions = [definition]
  const facts = { definitions, declaration, records, client, unrecorded, elsewhere: creations.made }
  const { settled, provisional, open } = await settle(lost, facts)
  const context = { client, ledger, definitions, ...consentOf(change) }
  const answers = await askAll(
    provisional.filter(({ step }) => step?.step === 'ask'),
    context,
  )
  const ended = new Map([...settled, ...answers.settled].map((each) => [each.n, each]))
  const reasons = new Map([
    ...open.map(({ write, because }) => [write, because] as const),
    ...provisional.map((each) => [each.write, afterAsking(each, answers)] as const),
  ])
  return new Map(lost.map((write) => [write, outcomeOf(ended.get(write.n), reasons.get(write))]))
}

/** Asks again what gave no answer; what was asked before may still be written then. */
const askAll = async (
  asks: readonly Provisional[],
  context: WriteContext & { readonly ledger: MemoryLedger },
): Promise<Omit<Answers, 'failed'>> => {
  const settled: Settled[] = []
  const denied: LostWrite[] = []
  let left = asks
  for (let sent = 1; sent <= MOST && left.length > 0; sent += 1) {
    const answers = await takeSteps(left, context)
    // A question without an answer is no lost change of the resource that asks.
    await context.ledger.ownLost()
    settled.push(...answers.settled)
    denied.push(...answers.denied)
    if (answers.failed.length === 0) break
    left = left
      .filter(({ n, write }) => !denied.includes(write) && !settled.some((each) => each.n === n))
      .map(underWay)
  }
  return { settled, denied }
}

const underWay = (asking: Provisional): Provisional =>
  asking.step?.step === 'ask' ? { ...asking, step: { ...asking.step, isUnderWay: true } } : asking

/** What is known after a candidate was asked without success. */
const afterAsking = (
  { step, write }: Provisional,
  { denied }: Pick<Answers, 'denied'>,
): Reason | undefined => {
  if (step?.step !== 'ask') return undefined
  const { id } = step
  return denied.includes(write)
    ? reason('candidate-is-another', { id })
    : reason('candidate-not-told', { id })
}

/** Terraform keeps what was made, even without an id that nothing has told yet. */
const outcomeOf = (ended: Settled | undefined, because: Reason | undefined): CreationOutcome => {
  const effects = ended?.effects.filter(({ op }) => op === 'put') ?? []
  return ended !== undefined && effects.length > 0
    ? { is: 'made', effects, how: ended.how }
    : { is: 'open', because: because ?? ended?.how }
}
