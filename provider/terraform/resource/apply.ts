import { camelToSnake, type KindDefinition } from '../../core/index.ts'
import {
  identityKey,
  readAndPlan,
  type EngineClient,
  type PlannedChange,
  type RecordedResource,
  type RunInput,
} from '../../engine/index.ts'
import type { Configured } from '../connection.ts'
import { diagnosticOf, errorAt, hasErrors } from '../diagnostics.ts'
import { memoryLedger } from './memory-ledger.ts'
import type { PrivateState } from '../codec/private-state.ts'
import { addressOf, canAdopt, identityIn } from './entry.ts'
import { runInput, type ResourceChange } from './change.ts'
import { isForgotten, putsBack, refusedWithoutMemory } from './replacement.ts'
import { finished, reached } from './new-state.ts'
import { refusals } from './refusals.ts'
import { shownIn } from './members.ts'
import { staleSince } from './stale.ts'
import { carryOutAll } from './carry-out.ts'
import { Severity, type Diagnostic } from '../wire/common-messages.ts'
import { UNKNOWN, type TerraformObject, type TerraformValue } from '../wire/value.ts'

export interface AppliedResource {
  readonly state: TerraformObject | null
  readonly private: PrivateState
  readonly diagnostics: readonly Diagnostic[]
}

/** Carries out a planned change of one resource, by the same plan and the same writes as the command's. */
export const applyResource = async (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<AppliedResource> => {
  const { prior, planned, kept } = change
  if (!isForgotten(prior, planned, kept)) return apply(definition, change, configured)
  const refused = refusedWithoutMemory(definition, prior)
  // An answer without a state leaves to Terraform all that it remembers; another one would overwrite it.
  const failed = (diagnostics: readonly Diagnostic[]) => ({ state: null, private: kept, diagnostics })
  if (refused.length > 0) return failed(refused)
  const applied = await apply(definition, change, configured).catch((error: unknown) =>
    failed([diagnosticOf(error)]),
  )
  return hasErrors(applied.diagnostics) ? failed(applied.diagnostics) : applied
}

const apply = async (
  definition: KindDefinition,
  change: ResourceChange,
  configured: Configured,
): Promise<AppliedResource> => {
  const { prior, planned, kept } = change
  const client = configured.reads.fresh
  const input = runInput(definition, change, configured)
  const run = await readAndPlan(client, input)
  const changes = run.plan.planned
  const refused = [
    ...refusals(definition, run, planned ?? prior ?? {}),
    ...replaced(change, changes),
    ...staleSince(definition, change, changes),
  ]
  if (hasErrors(refused)) return { state: prior, private: kept, diagnostics: refused }
  const ledger = memoryLedger(definition, input.records, client.serviceNow)
  const said = await carryOutAll(definition, changes, change, { ...configured, client, ledger })
  const { records } = ledger
  const nothing = Object.keys(records).length === 0
  const after: PrivateState =
    nothing && kept.importedAt !== undefined ? { records, importedAt: kept.importedAt } : { records }
  if (planned === null) return { state: hasErrors(said) ? prior : null, private: after, diagnostics: said }
  if (hasErrors(said) && (nothing || beginsAnew(definition, prior)))
    return { state: prior, private: kept, diagnostics: said }
  for (const { identity } of Object.values(records))
    configured.justApplied.add(identityKey(definition, identity))
  if (hasErrors(said) && prior !== null)
    return { state: reached(definition, { prior, planned }, records), private: after, diagnostics: said }
  const missing =
    run.observed.things.get(identityKey(definition, identityIn(definition, planned))) === 'missing'
  const facts = { prior, record: records[addressOf(definition)], now: run.now, missing }
  const map = await mapAfter(definition, planned, records, { client, input })
  const state = finished(definition, planned, { ...facts, map })
  return hasErrors(said)
    ? { state: { ...state, evidence: 'unknown' }, private: after, diagnostics: said.map(unfinished) }
    : { state, private: after, diagnostics: said }
}

/**
 * An error would taint what was adopted, and its replacement would be told nothing of what it was before: what is
 * to be put back one day would be lost. So it stands in the state, and the next plan shows what is left to do.
 */
const unfinished = (diagnostic: Diagnostic): Diagnostic => {
  if (diagnostic.severity !== Severity.error) return diagnostic
  const left = 'It is in the state all the same, with what it was before; plan again, and apply what is left.'
  return { ...diagnostic, severity: Severity.warning, detail: `${diagnostic.detail ?? ''}\n${left}`.trim() }
}

/** An adoption with nothing to put back begins anew, with what it has to learn first; a state would be tainted. */
const beginsAnew = (definition: KindDefinition, prior: TerraformObject | null): boolean =>
  prior === null && canAdopt(definition) && !Object.values(definition.release).some(putsBack)

/** A thing that ended after it was read would be made anew, and Terraform was told that it keeps its id. */
const replaced = ({ prior, planned }: ResourceChange, changes: readonly PlannedChange[]): Diagnostic[] =>
  prior !== null &&
  planned !== null &&
  planned['id'] !== UNKNOWN &&
  changes.some(({ change }) => change.action === 'create')
    ? [errorAt(undefined, 'it has ended since it was read, and only a new one could be made', 'Plan again.')]
    : []

/** What a resource that stands for several things stands for now; a failing look must not lose what was written. */
const mapAfter = async (
  definition: KindDefinition,
  planned: TerraformObject,
  records: Readonly<Record<string, RecordedResource>>,
  { client, input }: { readonly client: EngineClient; readonly input: RunInput },
): Promise<TerraformValue> => {
  const { members } = definition.expand
  const name = members === undefined ? undefined : camelToSnake(members.map)
  if (name === undefined || planned[name] !== UNKNOWN) return null
  const { target: _, ...whole } = input
  const run = await readAndPlan(client, whole).catch(() => undefined)
  const shown = run === undefined ? undefined : shownIn(definition, planned, run)
  return shown?.[name] ?? reached(definition, { prior: null, planned }, records)[name] ?? null
}
