import { camelToSnake, isNone, type KindDefinition, type Values } from '../core/index.ts'
import {
  carryOut,
  hasEnded,
  readAndPlan,
  type PlannedChange,
  type RecordedResource,
  type RunInput,
} from '../engine/index.ts'
import type { Configured } from './configured.ts'
import { diagnosticOf, errorAt, hasErrors, spelt, warningAt } from './diagnostics.ts'
import { memoryLedger } from './memory-ledger.ts'
import type { PrivateState } from './private-state.ts'
import { addressOf, canAdopt, declarationOf, entryOf, importedRecord } from './resource-entry.ts'
import { shownAfter, shownIn, standsForSeveral, targetsOf } from './resource-shows.ts'
import { toAttribute } from './values.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { isWhollyKnown, UNKNOWN, type TerraformValue, type TerraformObject } from './wire/value.ts'

export interface AppliedResource {
  readonly state: TerraformObject | null
  readonly private: PrivateState
  readonly diagnostics: readonly Diagnostic[]
}

interface Change {
  readonly prior: TerraformObject | null
  readonly planned: TerraformObject | null
  readonly config: TerraformObject | null
  readonly kept: PrivateState
}

/** Carries out a planned change of one resource, by the same plan and the same writes as the command's. */
export const applyResource = async (
  definition: KindDefinition,
  change: Change,
  configured: Configured,
): Promise<AppliedResource> => {
  const { prior, planned, config } = change
  const client = configured.reads.fresh
  const records = recordsFor(definition, change)
  const ledger = memoryLedger(records)
  const entries = planned === null ? [] : [entryOf(definition, planned, secretMarks(definition, config))]
  const target = planned === null ? undefined : targetsOf(definition, planned)
  const input: RunInput = {
    definitions: [definition],
    declaration: declarationOf(entries, configured.orgIds),
    records,
    look: 'for-plan',
    ...(target === undefined ? {} : { target }),
  }
  const run = await readAndPlan(client, input)
  const refused = refusals(run.plan.planned, allowedIn(planned ?? prior ?? {})).map((each) =>
    spelt(definition, each),
  )
  if (hasErrors(refused)) return { state: prior, private: change.kept, diagnostics: refused }
  const secret = (_: unknown, path: string): Promise<string> => Promise.resolve(secretIn(config, path))
  const context = {
    client,
    ledger,
    definitions: [definition],
    allowed: allowedIn(planned ?? prior ?? {}),
    secret,
  }
  const diagnostics: Diagnostic[] = []
  for (const each of run.plan.planned)
    diagnostics.push(...(await attempt(each, context)).map((one) => spelt(definition, one)))
  const kept = { records: ledger.records }
  if (planned === null) return { state: hasErrors(diagnostics) ? prior : null, private: kept, diagnostics }
  const record = ledger.records[addressOf(definition)]
  if (hasErrors(diagnostics) && Object.keys(ledger.records).length === 0)
    return { state: prior, private: kept, diagnostics }
  const state = await finished(definition, planned, record, { client, input, now: run.now })
  return { state, private: kept, diagnostics }
}

/** What would stand in the way of a creation whose values are known: diagnostics alone, nothing of it is planned. */
export const foreseeCreation = async (
  definition: KindDefinition,
  planned: TerraformObject,
  config: TerraformObject,
  { reads, orgIds }: Configured,
): Promise<Diagnostic[]> => {
  if (!isWhollyKnown(config)) return []
  const declaration = declarationOf([entryOf(definition, planned, secretMarks(definition, config))], orgIds)
  const run = await readAndPlan(reads.reads, {
    definitions: [definition],
    declaration,
    records: {},
    look: 'for-plan',
    byLists: true,
  })
  return refusals(run.plan.planned, allowedIn(planned)).map((each) => spelt(definition, each))
}

/** A thing that was imported has no record yet; what can be adopted is taken over by the write itself. */
const recordsFor = (
  definition: KindDefinition,
  { prior, kept }: Change,
): Readonly<Record<string, RecordedResource>> => {
  if (prior === null || kept.importedAt === undefined || Object.keys(kept.records).length > 0)
    return kept.records
  return canAdopt(definition)
    ? {}
    : { [addressOf(definition)]: importedRecord(definition, prior, kept.importedAt) }
}

const refusals = (planned: readonly PlannedChange[], allowed: ReadonlySet<string>): Diagnostic[] =>
  planned.flatMap(({ change }) => {
    const needs = (change.needs ?? []).filter(({ flag }) => !allowed.has(flag))
    const blocked =
      change.action === 'blocked'
        ? [errorAt(attributeFor(change.fields[0]?.path), change.reason, change.byHand)]
        : []
    return [
      ...blocked,
      ...needs.map(({ flag, because }) =>
        errorAt(
          'allow',
          `refused: ${because}`,
          `If that is what you want: allow = ["${flag.replace('--allow-', '')}"].`,
        ),
      ),
    ]
  })

const attributeFor = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : camelToSnake(path)

const allowedIn = (object: TerraformObject): ReadonlySet<string> => {
  const given = object['allow']
  return new Set(Array.isArray(given) ? given.map((name) => `--allow-${String(name)}`) : [])
}

const attempt = async (
  planned: PlannedChange,
  context: Parameters<typeof carryOut>[1],
): Promise<Diagnostic[]> => {
  try {
    const { status, notes } = await carryOut(planned, context)
    if (status === 'blocked') return [errorAt(undefined, planned.change.reason, notes.join('\n'))]
    return notes.map((note) => warningAt(undefined, note))
  } catch (error) {
    return [diagnosticOf(error)]
  }
}

/** The engine asks for a secret when it is about to be sent; the mark says that the configuration has one. */
const secretMarks = ({ fields }: KindDefinition, config: TerraformObject | null): Values =>
  Object.fromEntries(
    Object.keys(fields)
      .filter(
        (name) => fields[name]?.type.is === 'secret' && typeof config?.[camelToSnake(name)] === 'string',
      )
      .map((name) => [name, { configured: true }]),
  )

const secretIn = (config: TerraformObject | null, path: string): string => {
  const value = config?.[camelToSnake(path.split('.').at(-1) ?? '')]
  return typeof value === 'string' ? value : ''
}

/** The planned state with everything filled in that was not known before. */
const finished = async (
  definition: KindDefinition,
  planned: TerraformObject,
  record: RecordedResource | undefined,
  { client, input, now }: { client: Configured['reads']['fresh']; input: RunInput; now: Date },
): Promise<TerraformObject> => {
  const readable = definition.observe.how === 'everything'
  const told: Record<string, TerraformValue> = {
    ...identityTold(definition, record),
    evidence: readable ? 'read' : record?.lastWrite === null || record === undefined ? 'unknown' : 'recorded',
    ...(readable ? { present: isPresent(definition, planned) } : {}),
    ...(isNone(definition.lifetime) ? {} : { ended: hasEnded({ definition }, record?.applied ?? {}, now) }),
    ...(await mapAfter(definition, planned, client, input)),
    id: idOf(definition, planned, record),
  }
  return Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, value === UNKNOWN ? (told[name] ?? null) : value]),
  )
}

const isPresent = ({ expand }: KindDefinition, planned: TerraformObject): boolean =>
  expand.ensures === undefined || planned[camelToSnake(expand.ensures.field)] !== expand.ensures.absent

const identityTold = (
  { fields }: KindDefinition,
  record: RecordedResource | undefined,
): Record<string, TerraformValue> => {
  const known: Values = { ...record?.answer, ...record?.identity }
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => [camelToSnake(name), toAttribute(type, known[name])]),
  )
}

const mapAfter = async (
  definition: KindDefinition,
  planned: TerraformObject,
  client: Configured['reads']['fresh'],
  input: RunInput,
): Promise<Record<string, TerraformValue>> => {
  const { shows } = definition.expand
  if (shows === undefined) return {}
  const name = camelToSnake(shows.as)
  if (planned[name] !== UNKNOWN) return {}
  if (!standsForSeveral(definition, planned)) return { [name]: null }
  const seen = shownIn(definition, planned, await readAndPlan(client, input)) ?? {}
  return { [name]: shownAfter(definition, seen[name], planned) }
}

const idOf = (
  { identity }: KindDefinition,
  planned: TerraformObject,
  record: RecordedResource | undefined,
): string => {
  const parts = [...identity.scope, identity.key].map(
    (name) => record?.identity[name] ?? planned[camelToSnake(name)],
  )
  const own = record?.identity[identity.key]
  return own !== undefined && identity.assigned !== 'never'
    ? own
    : parts.filter((part) => typeof part === 'string').join('/')
}
