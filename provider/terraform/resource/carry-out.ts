import { canNamePlace, type KindDefinition } from '../../core/index.ts'
import {
  carryOut,
  identityKey,
  type BlockedFields,
  type EngineClient,
  type WriteResult,
  type PlannedChange,
  type Reason,
  type ReasonCode,
} from '../../engine/index.ts'
import { InvalidRequestError, NotFoundError, RequestError } from '../../errors/index.ts'
import { isGiven, type Plain } from '../codec/plain.ts'
import type { Configured } from '../connection/connection.ts'
import type { SaidKey } from '../connection/said-once.ts'
import { isCheck } from '../../words/index.ts'
import { leftAsItIs, leftToAnother, noted, perhapsCreated } from '../words/applies.ts'
import { failed, unknownIdIn } from '../words/failures.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import { consentOf, objectOf, type ResourceChange } from './change.ts'
import { fieldValues, isOver, stateKey } from './entry.ts'
import type { MemoryLedger } from './memory-ledger.ts'
import { asking, placeAttribute } from './refusals.ts'
import { putsBack } from './replacement.ts'

export interface Tools extends Pick<Configured, 'justApplied' | 'creations' | 'saidOnce'> {
  readonly client: EngineClient
  readonly ledger: MemoryLedger
}

/** Diagnostics by the address that they are about. */
export type ReportedByAddress = Map<string, readonly Diagnostic[]>

/** Carries out the changes of one resource; a failure becomes a diagnostic, and the rest goes on. */
export const carryOutAll = async (
  definition: KindDefinition,
  changes: readonly PlannedChange[],
  resource: ResourceChange,
  tools: Tools,
): Promise<ReportedByAddress> => {
  const said: ReportedByAddress = new Map()
  for (const each of changes) {
    const { address } = each.change
    const here = await carryOutOne(definition, each, resource, tools)
    said.set(address, [...(said.get(address) ?? []), ...here])
  }
  return said
}

const carryOutOne = async (
  definition: KindDefinition,
  { change, work }: PlannedChange,
  resource: ResourceChange,
  tools: Tools,
): Promise<Diagnostic[]> => {
  // With create_before_destroy, or under another address, the new resource comes first and now has the thing.
  if (work.do === 'release' && tools.justApplied.has(identityKey(definition, work.record.identity))) {
    const { record } = work
    return [
      warningAt(undefined, leftToAnother(definition, record, putsBack(definition.release[record.onRemove]))),
    ]
  }
  const { client, ledger } = tools
  try {
    const context = { client, ledger, definitions: [definition], ...consentOf(resource) }
    const outcome = await carryOut({ change, work }, context)
    return saidBy(definition, resource, { change, outcome, saidOnce: tools.saidOnce })
  } catch (error) {
    return failure(definition, resource.config, error)
  }
}

/** The key by which an apply knows that the plan, which Terraform makes once more within it, has already warned. */
export const expiredKey = (
  definition: KindDefinition,
  { values }: Plain,
  { reason: { code } }: Pick<PlannedChange['change'], 'reason'>,
): SaidKey => ['expired', code, definition.kind, fieldValues(definition, values)]

/** The same for a note about what is in the state. */
export const notedKey = (definition: KindDefinition, { values }: Plain, note: Reason): SaidKey => [
  'noted',
  note,
  stateKey(definition, values),
]

/** What is blocked is an error at its attribute; the rest is a warning. */
const saidBy = (
  definition: KindDefinition,
  resource: ResourceChange,
  {
    change,
    outcome,
    saidOnce,
  }: { readonly change: PlannedChange['change']; readonly outcome: WriteResult } & Pick<Tools, 'saidOnce'>,
): Diagnostic[] => {
  if (outcome.status === 'not-allowed') return outcome.needs.map(asking(resource))
  const { notes, blocks } = outcome
  const object = objectOf(resource)
  const isNews =
    change.action === 'expired' &&
    !isSaidOfDestroy(resource, change) &&
    !saidOnce.has(expiredKey(definition, object, change))
  const checks = blocks.length > 0 ? notes.filter(isCheck) : []
  const unsaid = notes.filter(
    (note) => !checks.includes(note) && !saidOnce.has(notedKey(definition, object, note)),
  )
  const told = isNews ? [change.reason, ...unsaid] : unsaid
  return [
    ...blocks.map((block) =>
      blockedAt(definition, object, block, { key: keyIn(definition, change), checks }),
    ),
    ...notPutBack(definition, change),
    ...told.map((note) => warningAt(undefined, noted(definition, object, note))),
  ]
}

/** Terraform does not plan a destroy once more within the apply, so what its plan has said is in the state. */
const isSaidOfDestroy = (
  { prior }: ResourceChange,
  { reason: { code } }: Pick<PlannedChange['change'], 'reason'>,
): boolean => code === 'undeclared-ended' && prior !== null && isOver(prior)

/** Nothing else says which of several things are not put back, though `on_remove` says it of all. */
const notPutBack = (
  definition: KindDefinition,
  { action, before, reason }: PlannedChange['change'],
): Diagnostic[] =>
  action === 'release' && NOT_PUT_BACK.includes(reason.code)
    ? [warningAt(undefined, leftAsItIs(definition, before ?? {}, reason))]
    : []
const NOT_PUT_BACK: readonly ReasonCode[] = ['undeclared-changed-since', 'undeclared-not-written']

/** Which of several things that a resource stands for. */
const keyIn = ({ identity: { key } }: KindDefinition, { before, after }: PlannedChange['change']): unknown =>
  before?.[key] ?? after?.[key]

/** Several fields that one thing blocks have no attribute in common, and an error at each would repeat it. */
const blockedAt = (
  definition: KindDefinition,
  object: Plain,
  { fields: [first, ...others], note }: BlockedFields,
  more: Parameters<typeof noted>[3],
): Diagnostic => errorAt(others.length === 0 ? first : undefined, noted(definition, object, note, more))

const failure = (definition: KindDefinition, config: Plain | null, error: unknown): Diagnostic[] => {
  const text = failed(error)
  if (error instanceof InvalidRequestError && config !== null)
    return [errorAt(fieldNamed(definition, config, error), text)]
  if (error instanceof NotFoundError) return [notFound(definition, config, error)]
  const isLostCreation =
    error instanceof RequestError && error.outcome === 'unknown' && error.method === 'POST'
  return [errorAt(undefined, isLostCreation ? perhapsCreated(text) : text)]
}

/**
 * The first configured field among those that the service names by its own names, such as `startDate`, or `roles/0`
 * for an element.
 */
const fieldNamed = (
  { fields }: KindDefinition,
  config: Plain,
  { parameters }: InvalidRequestError,
): string | undefined => {
  const named = parameters.map((parameter) => parameter.split('/')[0])
  return Object.entries(fields).find(
    ([name, { wire }]) => isGiven(config, name) && named.includes(wire ?? name),
  )?.[0]
}

/** A path without ids does not tell what is missing: it is a place that the body names. */
const notFound = (definition: KindDefinition, config: Plain | null, error: NotFoundError): Diagnostic => {
  const place = placeAttribute(definition)
  const naming =
    place === undefined && config !== null
      ? Object.entries(definition.fields).flatMap(([name, { type }]) =>
          isGiven(config, name) && canNamePlace(type) ? [name] : [],
        )
      : []
  return naming.length === 0 ? errorAt(place, failed(error)) : errorAt(naming[0], unknownIdIn(error, naming))
}
