import { isReadable } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { JudgeContext } from '../judge/standing.ts'
import { isAbsent } from '../read/observe.ts'
import { reason, type Reason } from '../reason.ts'
import { differing } from '../values/compare.ts'
import { mayBeIn } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { sendable } from '../values/wire.ts'
import { blocked, changeOf, placeMissing, READ, requestOf, UNKNOWN } from './change.ts'
import type { PlannedChange } from './work.ts'

/** Plans that the thing is made, unless it may have been made already and nothing tells. */
export const planCreation = (
  instance: Instance,
  because: Reason,
  { observed, strangers = [] }: JudgeContext,
): PlannedChange => {
  const { definition, desired, identity } = instance
  if (isAbsent(observed, definition, identity)) return placeMissing(instance)
  const { key, declaredAs } = definition.identity
  const evidence = isReadable(definition) ? READ : UNKNOWN
  const there = strangers.filter(
    (each) => each.kind === definition.kind && mayBeIn(definition, each.identity, identity),
  )
  if (there.length > 0) {
    const ids = there.map((each) => each.identity[key] ?? '')
    return blocked(instance, reason('beside-strangers', { field: declaredAs, ids }), { evidence })
  }
  const { create } = definition.establish
  const names = [...definition.identity.scope, ...sendable(definition.fields)]
  const fields = differing(definition, names, {}, desired)
  const requests = isNone(create) ? [] : [requestOf(create.operation, identity)]
  const details = { action: 'create', reason: because, fields, evidence, requests } as const
  return { change: changeOf(instance, details), work: { do: 'create', instance } }
}
