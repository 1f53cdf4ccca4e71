import { partsOf, type Part } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { identified, isUnproven } from '../judge/identified.ts'
import { standingOf, type JudgeContext } from '../judge/standing.ts'
import { reason } from '../reason.ts'
import { asArray, differing, missingFrom } from '../values/compare.ts'
import { identityKey, isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import type { FieldChange, RecordedResource } from '../values/model.ts'
import { adoptionLacks } from './adopting.ts'
import { blocked, placeMissing, UNKNOWN, withActor } from './change.ts'
import { notFound } from './unreadable/gone.ts'
import { planKnown } from './unreadable/known.ts'
import { planNew } from './unreadable/new.ts'
import type { PlannedChange } from './work.ts'
import { isAbsent } from '../read/observe.ts'

/** Plans an instance of a kind that no endpoint shows: the record and later events decide. */
export const planUnreadable = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
): PlannedChange[] => {
  const parts = planParts(instance, context)
  if (parts === 'missing') {
    const isNowhere = isAbsent(context.observed, instance.definition, instance.identity)
    if (isNowhere) return [placeMissing(instance)]
    const standing = record === undefined ? undefined : standingOf(instance.definition, record, context)
    return [withActor(notFound(instance), standing?.remover())]
  }
  const counted = withUnapplied(instance, context)
  const own = record === undefined ? [planNew(counted, context)] : planRecorded(counted, record, context)
  return withoutSaid(own, parts)
}

/** What a part says to differ is not also in sync, if nothing but its parts is declared. Its record is still kept. */
const withoutSaid = (own: readonly PlannedChange[], parts: readonly PlannedChange[]): PlannedChange[] => {
  const [first, ...others] = parts
  const [whole] = own
  const isInSync = whole?.change.action === 'unchanged' && whole.change.evidence.level === 'read'
  return first !== undefined && whole !== undefined && isInSync
    ? [{ ...first, work: whole.work }, ...others]
    : [...own, ...parts]
}

/** Plans by the record. If its id has become known meanwhile, the id is recorded along with whatever is planned. */
const planRecorded = (
  instance: Instance,
  record: RecordedResource,
  context: JudgeContext,
): PlannedChange[] => {
  const { definition, identity } = instance
  const lacks = isUnproven(definition, record) ? adoptionLacks(definition, instance.desired) : undefined
  if (lacks !== undefined && isComplete(definition, identity))
    return [blocked(instance, lacks, { before: record.applied, evidence: UNKNOWN })]
  const known = identified(definition, record, context.log, identity)
  const planned = planKnown(instance, standingOf(definition, known, context), context)
  if (known === record) return planned
  return planned.map(({ change, work }) => ({
    change,
    work: work.do === 'keep' ? { ...work, put: work.put ?? known } : work,
  }))
}

/** Marks parts that are not read as declared: no call writes them, so they do not count as applied. */
const withUnapplied = (instance: Instance, { observed }: JudgeContext): Instance => {
  const { definition, identity, desired, entry } = instance
  const parts = Object.keys(partsOf(definition))
  if (parts.length === 0) return instance
  const read = observed.parts.get(identityKey(definition, identity))
  const seen: Values = typeof read === 'object' ? read : {}
  const names = differing(definition, parts, seen, desired).map(({ path }) => path)
  const isLeft = (name: string): boolean => entry.ignoreChanges.includes(name)
  return names.length === 0
    ? instance
    : {
        ...instance,
        unapplied: Object.fromEntries(names.map((name) => [name, isLeft(name) ? seen[name] : undefined])),
      }
}

/** Plans the fields that have lists of their own and that no call writes: a person has to resolve a difference. */
const planParts = (instance: Instance, context: JudgeContext): PlannedChange[] | 'missing' => {
  const { definition, identity, desired, entry } = instance
  const seen = context.observed.parts.get(identityKey(definition, identity))
  if (seen === 'missing') return 'missing'
  if (seen === undefined) return []
  return Object.entries(partsOf(definition)).flatMap(([name, part]) => {
    if (seen[name] === undefined || entry.ignoreChanges.includes(name)) return []
    const [field] = differing(definition, [name], seen, desired)
    return field === undefined ? [] : [partDiffers(instance, part, field)]
  })
}

const partDiffers = (instance: Instance, part: Part, change: FieldChange): PlannedChange => {
  const { definition, identity } = instance
  const { path, before, after } = change
  const field = definition.fields[path]
  const because = reason('part-differs', {
    field: path,
    lacking: field === undefined ? [] : missingFrom(field, after, before).map(String),
    extra: field === undefined ? [] : missingFrom(field, asArray(before), after).map(String),
    step: { text: part.byHand, of: identity },
  })
  return blocked(instance, because, { before: { [path]: before }, fields: [change] })
}
