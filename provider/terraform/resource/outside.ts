/** Changes from outside of Terraform: a plan tells each once, in its read or, where a state has it already, in its update. */
import { isReadable, type KindDefinition } from '../../core/index.ts'
import { reason, same, standingOf, type Run, type Standing } from '../../engine/index.ts'
import type { Plain } from '../codec/plain.ts'
import { recordsIn } from '../codec/private-state.ts'
import type { Configured } from '../connection/connection.ts'
import type { SaidKey, SaidOnce } from '../connection/said-once.ts'
import { becauseOf, changedOutside, perhapsChangedOutside, type Told } from '../words/readings.ts'
import { warningAt, type Diagnostic } from '../diagnostics.ts'
import type { ResourceChange } from './change.ts'
import { addressOf, stateKey } from './entry.ts'
import { membersOf } from './members.ts'
import { standingIn } from './standing.ts'

/** Who changed values since they were applied, as far as events tell. */
const actorsIn = (
  definition: KindDefinition,
  { values }: Plain,
  { run: { plan }, ownKey }: { readonly run: Run; readonly ownKey: string },
): Diagnostic[] =>
  plan.planned.flatMap(({ change: { actor, before, fields, evidence } }) => {
    // Of what is not shown, nobody knows whether it was changed: `suspected` tells that.
    if (actor === undefined || evidence.level === 'suspect') return []
    const changed = {
      actor,
      ownKey,
      key: before?.[definition.identity.key],
      fields: fields.map(({ path }) => path),
    }
    return [warningAt(undefined, changedOutside(definition, values, changed))]
  })

/** Who changed things that are read, or may have changed what a reading does not show. */
export const outsideIn = (
  definition: KindDefinition,
  state: Plain,
  { run, ownKey, standings }: Parameters<typeof actorsIn>[2] & { readonly standings: readonly Standing[] },
): Diagnostic[] => [
  ...actorsIn(definition, state, { run, ownKey }),
  ...standings.flatMap((standing) => suspected(standing, state, ownKey)?.warning ?? []),
]

/** To Terraform, a change of evidence alone would be "No changes"; null values make it plan the assertion. */
export const suspected = (
  standing: Standing,
  state: Plain,
  ownKey: string,
): { readonly fields: readonly string[]; readonly warning: Diagnostic } | undefined => {
  const { definition, record, evidence, touched, actor, isOver, isToldGone } = standing
  const { values } = state
  // A field that was never declared is neither compared nor asserted.
  const fields = touched.filter((name) => record.applied[name] !== undefined)
  if (isOver || evidence.level !== 'suspect' || fields.length === 0) return undefined
  if (isToldGone) {
    const gone = { reason: reason('told-gone'), actor: standing.remover() }
    return { fields, warning: warningAt(undefined, becauseOf(definition, values, gone, ownKey)) }
  }
  const told = fields.flatMap((name) => toldOf(standing, name))
  const key = membersOf(definition, state) && record.identity[definition.identity.key]
  const text = perhapsChangedOutside(definition, values, { actor: actor(fields), fields, told, ownKey, key })
  return { fields, warning: warningAt(undefined, text) }
}

/**
 * What an event says that a field was given. An event often tells all fields: one that is as it was applied is not
 * told, because that value may be sensitive in the configuration.
 */
const toldOf = ({ definition, record, told }: Standing, name: string): Told[] => {
  const said = told(name)
  const field = definition.fields[name]
  if (said === undefined || field === undefined) return []
  const { value, invited } = said
  const isAsApplied = value === undefined || same(field, value, record.applied[name])
  if (isAsApplied && invited === undefined) return []
  return [{ name, eventTypeName: said.eventTypeName, invited, ...(isAsApplied ? {} : { value }) }]
}

/** Notes that the read has told it. */
export const noteOutside = (definition: KindDefinition, state: Plain, saidOnce: SaidOnce): void => {
  saidOnce.add(keyOf(definition, state))
}

const keyOf = (definition: KindDefinition, { values }: Plain): SaidKey => [
  'changed-outside',
  stateKey(definition, values),
]

/** Who changed what an update puts back, where a state had it before this plan, so that its read does not tell. */
export const changedBefore = (
  definition: KindDefinition,
  { prior, kept }: ResourceChange,
  run: Run,
  { saidOnce, client }: Configured,
): Diagnostic[] => {
  if (prior === null || saidOnce.has(keyOf(definition, prior))) return []
  const ownKey = client.publicKey
  if (isReadable(definition)) {
    const standings = Object.values(recordsIn(kept)).map((record) => standingOf(definition, record, run))
    return outsideIn(definition, prior, { run, ownKey, standings })
  }
  const standing = standingIn(definition, prior, recordsIn(kept)[addressOf(definition)], run)
  const suspect = suspected(standing, prior, ownKey)
  return suspect === undefined ? [] : [suspect.warning]
}
