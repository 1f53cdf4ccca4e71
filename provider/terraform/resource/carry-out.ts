import { isNone, type KindDefinition } from '../../core/index.ts'
import {
  carryOut,
  identityKey,
  type Block,
  type EngineClient,
  type Outcome,
  type PlannedChange,
  type WriteContext,
} from '../../engine/index.ts'
import { AlreadyExistsError, NotFoundError, RequestError } from '../../errors/index.ts'
import { known } from '../codec/plain.ts'
import type { Configured } from '../connection.ts'
import { failed, gonePerhaps, leftToAnother, noted, perhapsCreated, writtenAsWell } from '../words.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import type { ResourceChange } from './change.ts'
import { secretIn } from './entry.ts'
import type { memoryLedger } from './memory-ledger.ts'
import { allowedIn, neededAt, placeAttribute } from './refusals.ts'

interface Tools extends Pick<Configured, 'justApplied' | 'justReleased'> {
  readonly client: EngineClient
  readonly ledger: ReturnType<typeof memoryLedger>
}

/** Carries out what is planned for one resource; what fails is said, and the rest goes on. */
export const carryOutAll = async (
  definition: KindDefinition,
  changes: readonly PlannedChange[],
  { prior, planned, config }: ResourceChange,
  tools: Tools,
): Promise<Diagnostic[]> => {
  const diagnostics: Diagnostic[] = []
  for (const { change, work } of changes) {
    // With create_before_destroy, or under another address, the new resource comes first: it has the thing now.
    if (work.do === 'release' && tools.justApplied.has(identityKey(definition, work.record.identity))) {
      diagnostics.push(warningAt(undefined, leftToAnother(definition, work.record)))
      continue
    }
    try {
      const outcome = await carryOut(
        { change, work },
        {
          client: tools.client,
          ledger: tools.ledger,
          lost: spanBefore(definition, work, tools),
          definitions: [definition],
          allowed: allowedIn(planned ?? prior ?? known({})),
          secret: (_, path) => Promise.resolve(secretIn(config, path)),
        },
      )
      noteRelease(definition, { change, work }, tools)
      diagnostics.push(...saidBy(definition, { change, work }, outcome, tools))
    } catch (error) {
      diagnostics.push(...failure(definition, error))
    }
  }
  return diagnostics
}

/** What blocks is an error at the attributes it is about; the rest is only told. */
const saidBy = (
  definition: KindDefinition,
  { change, work }: PlannedChange,
  { notes, blocks, needs = [] }: Outcome,
  { ledger }: Tools,
): Diagnostic[] => {
  const told = change.action === 'expired' ? [change.reason, ...notes] : notes
  return [
    ...needs.map(neededAt),
    ...blocks.flatMap((block) => blockedAt(definition, block)),
    ...told.map((note) => warningAt(undefined, noted(definition, note))),
    ...(work.do === 'write' ? writtenBeside(definition, work, ledger.sent(change.address)) : []),
  ]
}

const blockedAt = (definition: KindDefinition, { fields, note }: Block): Diagnostic[] => {
  const { identity, establish } = definition
  const isNamed = fields.includes(identity.key) && !isNone(establish.create)
  const text = isNamed ? gonePerhaps(definition, note) : noted(definition, note)
  return (fields.length === 0 ? [undefined] : fields).map((at) => errorAt(at, text))
}

/** The answer has shown that someone changed more, unseen by any event. */
const writtenBeside = (
  definition: KindDefinition,
  { fields, learnBy, instance }: Extract<PlannedChange['work'], { do: 'write' }>,
  sent: readonly string[],
): Diagnostic[] => {
  const beside = sent.filter((name) => !fields.includes(name) && !learnBy.includes(name))
  return beside.length === 0
    ? []
    : [warningAt(undefined, writtenAsWell(definition, instance.identity, beside))]
}

const failure = (definition: KindDefinition, error: unknown): Diagnostic[] => {
  const text = failed(error)
  if (error instanceof AlreadyExistsError) return [errorAt(definition.identity.key, text)]
  if (error instanceof NotFoundError) return [errorAt(placeAttribute(definition), text)]
  const isLostCreation =
    error instanceof RequestError && error.outcome === 'unknown' && error.method === 'POST'
  return [errorAt(undefined, isLostCreation ? perhapsCreated(text) : text)]
}

/** What was released in the same apply and is taken over again was written twice within the same moment. */
const spanBefore = (
  definition: KindDefinition,
  work: PlannedChange['work'],
  { justReleased }: Tools,
): NonNullable<WriteContext['lost']> => {
  const { address, identity } = work.do === 'write' ? work.instance : { address: '', identity: {} }
  const span = justReleased.get(identityKey(definition, identity))
  return new Map(span === undefined ? [] : [[address, span]])
}

/** A release is over once nothing is recorded of it. */
const noteRelease = (definition: KindDefinition, { work, change }: PlannedChange, tools: Tools): void => {
  const span = tools.ledger.lastSpan()
  if (work.do === 'release' && span !== undefined && tools.ledger.records[change.address] === undefined)
    tools.justReleased.set(identityKey(definition, work.record.identity), span)
}
