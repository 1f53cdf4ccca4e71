import { isNone, type KindDefinition, type Values } from '../../core/index.ts'
import type { Plain } from '../codec/plain.ts'
import { recordsIn, type PrivateState } from '../codec/private-state.ts'
import type { Configured } from '../connection/connection.ts'
import {
  cannotBeReplaced,
  createdThere,
  handedOver,
  namesAnother,
  replacedByUnknown,
} from '../words/memory.ts'
import { errorAt, warningAt, type Diagnostic } from '../diagnostics.ts'
import { addressOf, isJustApplied } from './entry.ts'

/**
 * Nothing deletes such a thing and nothing creates it again: giving it up in one place to take it up in another loses
 * it in between.
 */
export const isMadeOnce = ({ establish: { create } }: KindDefinition): boolean =>
  !isNone(create) && create.once === true

/** What a plan does with one resource. */
interface Step {
  readonly prior: Plain | null
  readonly planned: Plain | null
  readonly kept: PrivateState
}

/** Terraform plans a replacement as a creation with the private state of what it replaces. */
export const isReplacement = ({ prior, planned, kept }: Step): boolean =>
  prior === null && planned !== null && kept.is !== 'none'

/** Refuses a plan that replaces a thing that is made once with the same thing. */
export const refusedReplacement = (
  definition: KindDefinition,
  step: Step,
  config: Plain | null,
): Diagnostic[] => {
  if (!isMadeOnce(definition) || !isReplacement(step)) return []
  const { key, unique } = definition.identity
  if (config?.unknown.has(key) === true) return [errorAt(key, replacedByUnknown(definition, key))]
  const before = replacedIn(definition, step.kept)
  const planned = step.planned?.values ?? {}
  const wanted = planned[key]
  const isSame = unique.some((name) => before[name] !== undefined && planned[name] === before[name])
  if (isSame && wanted !== undefined && before[key] !== undefined && wanted !== before[key])
    return [errorAt(key, namesAnother(definition, before))]
  return wanted === undefined || wanted === before[key]
    ? [errorAt(undefined, cannotBeReplaced(definition, { ...before, id: before[key] }))]
    : []
}

const replacedIn = (definition: KindDefinition, kept: PrivateState): Values => {
  const record = recordsIn(kept)[addressOf(definition)]
  return record === undefined ? {} : { ...record.applied, ...record.identity }
}

/** Notes what a state has, as it is read. */
export const noteInState = (
  definition: KindDefinition,
  { values }: Plain,
  { inState }: Pick<Configured, 'inState'>,
): void => {
  if (isMadeOnce(definition)) for (const name of namesIn(definition, values)) inState.add(name)
}

/**
 * Warns of a creation of what the state had when this run read it: the apply refuses it. Terraform plans a tainted
 * resource so, and does not say that it is tainted. An error would stop a destroy too, which begins with such a plan.
 */
export const createdInState = (
  definition: KindDefinition,
  step: Step,
  { inState }: Pick<Configured, 'inState'>,
): Diagnostic[] => {
  const { prior, planned } = step
  if (!isMadeOnce(definition) || prior !== null || planned === null || isReplacement(step)) return []
  const isAdopted = planned.values[definition.identity.key] !== undefined
  return !isAdopted && namesIn(definition, planned.values).some((name) => inState.has(name))
    ? [warningAt(undefined, createdThere(definition, planned.values))]
    : []
}

/**
 * Refuses a plan that gives the thing up in one resource and takes it up in another: Terraform does not say which
 * comes first. Whichever is planned later finds the earlier one.
 */
export const refusedHandOver = (
  definition: KindDefinition,
  step: Step,
  configured: Pick<Configured, 'takenUp' | 'givenUp' | 'justApplied'>,
): Diagnostic[] => {
  const { prior, planned, kept } = step
  if (!isMadeOnce(definition) || (prior === null) === (planned === null)) return []
  // With create_before_destroy the replacement of a tainted one is there by now: the destroy leaves it as it is.
  if (prior !== null && isJustApplied(definition, prior, configured)) return []
  const { takenUp, givenUp } = configured
  const meets = (values: Values, mine: Set<string>, others: ReadonlySet<string>): Diagnostic[] => {
    const names = namesIn(definition, values)
    for (const name of names) mine.add(name)
    return names.some((name) => others.has(name)) ? [errorAt(undefined, handedOver(definition, values))] : []
  }
  return [
    ...(planned === null ? [] : meets(planned.values, takenUp, givenUp)),
    ...(prior === null ? [] : meets(prior.values, givenUp, takenUp)),
    ...(isReplacement(step) ? meets(replacedIn(definition, kept), givenUp, takenUp) : []),
  ]
}

/** Its key, and the values that no two of its kind share. */
const namesIn = ({ kind, identity: { key, unique } }: KindDefinition, values: Values): string[] =>
  [key, ...unique].flatMap((name) =>
    typeof values[name] === 'string' ? [JSON.stringify([kind, name, values[name]])] : [],
  )
