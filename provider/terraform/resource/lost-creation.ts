import type { KindDefinition } from '../../core/index.ts'
import {
  reason,
  settle,
  takeSteps,
  type Answers,
  type LostWrite,
  type Pending,
  type Reason,
  type RunInput,
  type Settled,
} from '../../engine/index.ts'
import type { Tools } from './carry-out.ts'
import { consentOf, type ResourceChange } from './change.ts'

interface Given {
  readonly input: RunInput
  readonly tools: Tools
}

/** What became of a creation: it is recorded, or the reason why it is unknown. */
type CreationOutcome =
  | { readonly is: 'recorded'; readonly how: Reason }
  | { readonly is: 'open'; readonly because: Reason | undefined }

/**
 * Finds out from events what a creation has made whose answer was lost, by the rules of the command: a candidate is
 * asked, and its answer tells whether it is the one. What was made goes into the ledger, with its id if that is told.
 */
export const settleCreation = (
  definition: KindDefinition,
  write: LostWrite,
  change: ResourceChange,
  given: Given,
): Promise<CreationOutcome> =>
  given.tools.creations.settling(async () => find(definition, write, change, given))

const find = async (
  definition: KindDefinition,
  write: LostWrite,
  change: ResourceChange,
  { input: { declaration }, tools }: Given,
): Promise<CreationOutcome> => {
  const { client, ledger, creations } = tools
  const { records, unrecorded } = ledger
  const definitions = [definition]
  const facts = { definitions, declaration, records, client, unrecorded, elsewhere: creations.made }
  const others = [...creations.open].filter((each) => each !== write && each.kind === write.kind)
  const { settled, pending, open } = await settle([...others, write], facts)
  const asked = pending.find((each) => each.write === write && each.step?.step === 'ask')
  const answers =
    asked === undefined
      ? undefined
      : await takeSteps([asked], { client, ledger, definitions, ...consentOf(change) })
  const ours = (answers?.settled ?? settled).find((each) => each.n === write.n)
  if (ours !== undefined && makes(ours)) {
    await ledger.effects(ours.effects)
    return { is: 'recorded', how: ours.how }
  }
  const unsettled = open.find((each) => each.write === write)
  return { is: 'open', because: afterAsking(asked?.step, answers, write) ?? unsettled?.because ?? ours?.how }
}

/** What is known after a candidate was asked without success. */
const afterAsking = (
  step: Pending['step'],
  answers: Answers | undefined,
  write: LostWrite,
): Reason | undefined => {
  if (step?.step !== 'ask' || answers === undefined) return undefined
  const { id } = step
  return answers.denied.includes(write)
    ? reason('candidate-is-another', { id })
    : reason('candidate-not-told', { id })
}

/** Whether something was made: Terraform keeps it, even without an id that nothing has told yet. */
const makes = ({ effects }: Settled): boolean => effects.some(({ op }) => op === 'put')
