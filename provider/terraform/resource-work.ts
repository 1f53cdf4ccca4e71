import { camelToSnake, isNone, type KindDefinition } from '../core/index.ts'
import {
  carryOut,
  identityKey,
  type Block,
  type EngineClient,
  type Outcome,
  type PlannedChange,
  type RecordedResource,
  type WriteContext,
} from '../engine/index.ts'
import { AlreadyExistsError, NotFoundError, RequestError } from '../errors/index.ts'
import type { Configured } from './configured.ts'
import { diagnosticOf, errorAt, warningAt } from './diagnostics.ts'
import type { memoryLedger } from './memory-ledger.ts'
import type { ResourceChange } from './resource-apply.ts'
import { secretIn } from './resource-entry.ts'
import { allowedIn, neededAt, placeAttribute } from './resource-refusals.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { words } from './words.ts'

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
    if (work.do === 'release' && tools.justApplied.has(identityKey(definition, work.record.identity))) {
      diagnostics.push(leftToAnother(definition, work.record))
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
          allowed: allowedIn(planned ?? prior ?? {}),
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
    ...told.map((note) => warningAt(undefined, `${definition.title}: ${words.says(note)}`)),
    ...(work.do === 'write' ? writtenBeside(definition, work, ledger.sent(change.address)) : []),
  ]
}

const blockedAt = ({ title, identity, establish }: KindDefinition, { fields, note }: Block): Diagnostic[] => {
  const names = fields.includes(identity.key) && !isNone(establish.create)
  const more = names ? 'Check it at the service; terraform state rm forgets a thing that is gone.' : ''
  const at = fields.length === 0 ? [undefined] : fields.map(camelToSnake)
  return at.map((attribute) => errorAt(attribute, `${title}: ${words.says(note)}`, more))
}

/** The answer has shown that someone changed more, unseen by any event. */
const writtenBeside = (
  { title, identity }: KindDefinition,
  { fields, learnBy, instance }: Extract<PlannedChange['work'], { do: 'write' }>,
  sent: readonly string[],
): Diagnostic[] => {
  const beside = sent.filter((name) => !fields.includes(name) && !learnBy.includes(name))
  return beside.length === 0
    ? []
    : [
        warningAt(
          undefined,
          `${title} ${instance.identity[identity.key] ?? ''}: ${beside.map(camelToSnake).join(', ')} was written as well`,
          'The answer to the change has shown that someone had changed it outside of Terraform; the configured value was asserted.',
        ),
      ]
}

const failure = (definition: KindDefinition, error: unknown): Diagnostic[] => {
  if (error instanceof AlreadyExistsError) return [diagnosticOf(error, camelToSnake(definition.identity.key))]
  if (error instanceof NotFoundError) return [diagnosticOf(error, placeAttribute(definition))]
  const said = diagnosticOf(error)
  const isLostCreation =
    error instanceof RequestError && error.outcome === 'unknown' && error.method === 'POST'
  if (!isLostCreation) return [said]
  const lost = `It may have been created. Look for it in the organization's events before the next apply, which would create another one; if it is there, use terraform import.`
  return [{ ...said, detail: `${said.detail ?? ''}\n${lost}` }]
}

/** With create_before_destroy, or under another address, the new resource comes first: it has the thing now. */
const leftToAnother = ({ title, identity }: KindDefinition, record: RecordedResource): Diagnostic =>
  warningAt(
    undefined,
    `${title} ${record.identity[identity.key] ?? ''}: left as it is, for another resource has taken it over in the same apply`,
    `on_remove = "${record.onRemove}" would undo what that one has just written.`,
  )

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
