import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { isDoubted, standingOf } from '../judge/standing.ts'
import { unseenProjects } from '../judge/unseen-projects.ts'
import { reason, type Reason } from '../reason.ts'
import { keyOf } from '../values/identity.ts'
import type { Made, Need } from '../values/model.ts'
import { planAllUndeclared } from './all-undeclared.ts'
import { planDeclared } from './declared.ts'
import { expectedOf } from './expected.ts'
import { withGuards } from './guards.ts'
import { withHeld } from './held.ts'
import type { PlanInput } from './input.ts'
import { massNeeds } from './mass.ts'
import { applyMoves, type Move } from './moved.ts'
import { ownKeyElsewhere } from './own-key.ts'
import { renamedAndEdited } from './renamed-and-edited.ts'
import { mayGoOnBeside } from './renewed.ts'
import { setAside } from './replaced.ts'
import { withWhat } from './what.ts'
import { withTurnedOff } from './turned-off.ts'
import { twinsIn } from './twins.ts'
import { validatePlan } from './validate.ts'
import { withWaiting } from './waiting.ts'
import type { PlannedChange } from './work.ts'

export interface Plan {
  readonly planned: readonly PlannedChange[]
  /** The flags that apply asks for, by single changes and by the plan as a whole. */
  readonly needs: readonly Need[]
  readonly warnings: readonly Reason[]
  readonly targeted: boolean
  /** The strangers that keep this plan from creating things of their kinds. */
  readonly strangers: readonly Made[]
  /** Moves from an address within the target to one outside of it. */
  readonly parted: readonly Move[]
}

/**
 * Plans what makes live match the declaration; a pure function of its input.
 * @throws SelectorConflictError if two entries disagree about one thing.
 * @throws EntryRefusedError if an entry cannot be carried out.
 */
export const plan = (input: PlanInput): Plan => {
  const { definitions, target } = input
  const expected = expectedOf(input)
  const { instances, moves } = expected
  const records = applyMoves(input.records, moves)
  const current = setAside(instances, records, (instance, record) => mayGoOnBeside(instance, record, input))
  const declared = planDeclared(input, expected, current)
  const undeclared = planAllUndeclared(input, expected, current.records)
  // What blocks a whole entry blocks each of its instances.
  const wholes = new Set(instances.flatMap((each) => (each.unmatched === undefined ? [] : each.address)))
  const parted = moves.filter(({ from, to }) => target?.includes(from) === true && !target.includes(to))
  const renamed = new Set(parted.map(({ to }) => to))
  const isWithin = (address: string): boolean =>
    (target?.includes(address) ?? true) ||
    renamed.has(address) ||
    (wholes.has(address) && target?.looksAt(address) === true)
  const within = [...declared, ...undeclared].filter(({ change }) => isWithin(change.address))
  const all = withHeld(withWaiting(within, records), { instances, ...current })
  const guarded = withGuards(all, {
    definitions,
    records: current.records,
    ownKey: input.ownKey,
    isDoubted: (definition, record, field) => isDoubted(standingOf(definition, record, input), field),
  })
  const marked = withTurnedOff(validatePlan(guarded, definitions), definitions)
  const planned = withWhat(marked, definitions, input.observed)
  const needs = [
    ...planned.flatMap(({ change: { address, needs: own } }) =>
      own === undefined ? NO_NEEDS : own.map((need) => ({ ...need, address })),
    ),
    ...massNeeds(planned, current.records, definitions),
  ]
  const strangers = strangersBeside(planned, input)
  const warnings = [
    ...warningsOf(input, strangers),
    ...ownKeyElsewhere(planned, input),
    ...twinsIn(planned, instances),
    ...renamedAndEdited({ ...input, planned }),
  ]
  return { planned, needs, warnings, targeted: target !== undefined, strangers, parted }
}

const NO_NEEDS: readonly Need[] = []

const warningsOf = (input: PlanInput, strangers: readonly Made[]): Reason[] => [
  ...input.log.warnings,
  ...(input.notes ?? []),
  ...unseenProjects(input),
  ...[...Map.groupBy(strangers, ({ kind }) => kind)].map(([kind, made]) =>
    strangersThere(kind, made, input.definitions),
  ),
  ...unknownKinds(input),
]

/** The strangers that block a change of this plan. */
const strangersBeside = (
  planned: readonly PlannedChange[],
  { strangers = [], definitions }: PlanInput,
): Made[] => {
  const ids = new Set(
    planned.flatMap(({ change: { reason: why } }) => (why.code === 'beside-strangers' ? why.ids : [])),
  )
  return strangers.filter((made) => ids.has(keyOf(definitions, made) ?? ''))
}

const strangersThere = (
  kind: string,
  made: readonly Made[],
  definitions: readonly KindDefinition[],
): Reason => {
  const field = definitionOf(definitions, kind)?.identity.declaredAs ?? ''
  return reason('strangers-there', { field, ids: made.flatMap((each) => keyOf(definitions, each) ?? []) })
}

/** Kinds that this version does not know; a later version may have recorded them. */
const unknownKinds = ({ definitions, records }: PlanInput): Reason[] => {
  const known = new Set(definitions.map(({ kind }) => kind))
  return Object.keys(records)
    .filter((address) => !known.has(records[address]?.kind ?? ''))
    .map((address) => reason('kind-unknown', { address, kind: records[address]?.kind ?? '' }))
}
