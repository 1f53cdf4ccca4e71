import { camelToSnake, isNone, type KindDefinition } from '../core/index.ts'
import {
  carryOut,
  readAndPlan,
  type EngineClient,
  type Ledger,
  type PlannedChange,
  type RecordedResource,
  type RunInput,
} from '../engine/index.ts'
import { AlreadyExistsError, GuardError, RequestError } from '../errors/index.ts'
import type { Configured } from './configured.ts'
import { diagnosticOf, errorAt, hasErrors, warningAt } from './diagnostics.ts'
import { memoryLedger } from './memory-ledger.ts'
import type { PrivateState } from './private-state.ts'
import {
  addressOf,
  canAdopt,
  declarationOf,
  entryOf,
  importedRecord,
  secretIn,
  secretMarks,
} from './resource-entry.ts'
import { finished, reached } from './resource-outcome.ts'
import { allowedIn, neededAt, refusals } from './resource-refusals.ts'
import { shownIn, targetsOf } from './resource-shows.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { UNKNOWN, type TerraformObject, type TerraformValue } from './wire/value.ts'

export interface AppliedResource {
  readonly state: TerraformObject | null
  readonly private: PrivateState
  readonly diagnostics: readonly Diagnostic[]
}

export interface ResourceChange {
  readonly prior: TerraformObject | null
  readonly planned: TerraformObject | null
  readonly config: TerraformObject | null
  readonly kept: PrivateState
}

/** Carries out a planned change of one resource, by the same plan and the same writes as the command's. */
export const applyResource = async (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<AppliedResource> => {
  const { prior, planned, kept } = change
  const client = configured.reads.fresh
  const input = runInput(definition, change, configured)
  const run = await readAndPlan(client, input)
  const changes = run.plan.planned
  const refused = [...refusals(definition, changes, planned ?? prior ?? {}), ...replaced(change, changes)]
  if (hasErrors(refused)) return { state: prior, private: kept, diagnostics: refused }
  const ledger = memoryLedger(definition, input.records, client.serviceNow)
  const diagnostics = await carryOutAll(definition, changes, change, { client, ledger })
  const records = ledger.records
  const nothing = Object.keys(records).length === 0
  const after: PrivateState =
    nothing && kept.importedAt !== undefined ? { records, importedAt: kept.importedAt } : { records }
  if (planned === null) return { state: hasErrors(diagnostics) ? prior : null, private: after, diagnostics }
  if (hasErrors(diagnostics)) {
    if (nothing || beginsAnew(definition, prior)) return { state: prior, private: kept, diagnostics }
    return { state: reached(definition, { prior, planned }, records), private: after, diagnostics }
  }
  const facts = { prior, record: records[addressOf(definition)], now: run.now }
  const map = await mapAfter(definition, planned, records, { client, input })
  return { state: finished(definition, planned, { ...facts, map }), private: after, diagnostics }
}

const runInput = (definition: KindDefinition, change: ResourceChange, { orgIds }: Configured): RunInput => {
  const { prior, planned, config } = change
  const entries = planned === null ? [] : [entryOf(definition, planned, secretMarks(definition, config))]
  const records = recordsFor(definition, change)
  const target = planned === null ? undefined : targetsOf(definition, prior, planned, records)
  return {
    definitions: [definition],
    declaration: declarationOf(entries, orgIds),
    records,
    look: 'for-plan',
    ...(target === undefined ? {} : { target }),
  }
}

/** A thing that was imported has no record yet; what can be adopted is taken over by the write itself. */
const recordsFor = (
  definition: KindDefinition,
  { prior, kept }: ResourceChange,
): Readonly<Record<string, RecordedResource>> => {
  if (prior === null || kept.importedAt === undefined || Object.keys(kept.records).length > 0)
    return Object.fromEntries(
      Object.entries(kept.records).map(([address, record]) => [address, withDoubt(record)]),
    )
  if (canAdopt(definition)) return {}
  // Nothing of it is known: it may even be over, which the service then says.
  const unsure = isNone(definition.write) ? [] : definition.write.fields
  return { [addressOf(definition)]: { ...importedRecord(definition, prior, kept.importedAt), unsure } }
}

/** An adoption that is not read back begins anew, with what it has to learn first; a state would be tainted. */
const beginsAnew = (definition: KindDefinition, prior: TerraformObject | null): boolean =>
  prior === null && canAdopt(definition) && definition.observe.how !== 'everything'

/** Only another answer can tell whether what stayed after its removal is gone by now, so it is asked for again. */
const withDoubt = (record: RecordedResource): RecordedResource =>
  record.leftover === undefined
    ? record
    : { ...record, unsure: [...new Set([...(record.unsure ?? []), ...Object.keys(record.leftover)])] }

/** A thing that ended after it was read would be made anew, and Terraform was told that it keeps its id. */
const replaced = ({ prior, planned }: ResourceChange, changes: readonly PlannedChange[]): Diagnostic[] =>
  prior !== null &&
  planned !== null &&
  planned['id'] !== UNKNOWN &&
  changes.some(({ change }) => change.action === 'create')
    ? [errorAt(undefined, 'it has ended since it was read, and only a new one could be made', 'Plan again.')]
    : []

const carryOutAll = async (
  definition: KindDefinition,
  changes: readonly PlannedChange[],
  { prior, planned, config }: ResourceChange,
  { client, ledger }: { readonly client: EngineClient; readonly ledger: Ledger },
): Promise<Diagnostic[]> => {
  const diagnostics: Diagnostic[] = []
  for (const { change, work } of changes) {
    try {
      const { status, notes } = await carryOut(
        { change, work },
        {
          client,
          ledger,
          definitions: [definition],
          allowed: allowedIn(planned ?? prior ?? {}),
          secret: (_, path) => Promise.resolve(secretIn(config, path)),
        },
      )
      const over = change.action === 'expired' ? [change.reason, ...notes] : notes
      const say = status === 'blocked' ? errorAt : warningAt
      diagnostics.push(...over.map((note) => say(undefined, `${definition.title}: ${note}`)))
    } catch (error) {
      diagnostics.push(...failure(definition, error))
    }
  }
  return diagnostics
}

const failure = (definition: KindDefinition, error: unknown): Diagnostic[] => {
  if (error instanceof GuardError) return error.needs.map(neededAt)
  if (error instanceof AlreadyExistsError) return [diagnosticOf(error, camelToSnake(definition.identity.key))]
  const said = diagnosticOf(error)
  const isLostCreation =
    error instanceof RequestError && error.outcome === 'unknown' && error.method === 'POST'
  if (!isLostCreation) return [said]
  const lost = `It may have been created. Look for it in the organization's events before the next apply, which would create another one; if it is there, use terraform import.`
  return [{ ...said, detail: `${said.detail ?? ''}\n${lost}` }]
}

/** What a resource that stands for several things stands for now; a failing look must not lose what was written. */
const mapAfter = async (
  definition: KindDefinition,
  planned: TerraformObject,
  records: Readonly<Record<string, RecordedResource>>,
  { client, input }: { readonly client: EngineClient; readonly input: RunInput },
): Promise<TerraformValue> => {
  const { shows } = definition.expand
  const name = shows === undefined ? undefined : camelToSnake(shows.as)
  if (name === undefined || planned[name] !== UNKNOWN) return null
  const { target: _, ...whole } = input
  const run = await readAndPlan(client, whole).catch(() => undefined)
  const shown = run === undefined ? undefined : shownIn(definition, planned, run)
  return shown?.[name] ?? reached(definition, { prior: null, planned }, records)[name] ?? null
}
