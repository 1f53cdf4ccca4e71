import { isNone } from '../../core/operation.ts'
import { standingOf, type JudgeContext, type Standing } from '../judge/standing.ts'
import { differing } from '../values/compare.ts'
import { isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { RecordedResource } from '../values/model.ts'

/**
 * Whether the recorded thing is over and the entry has new dates that lie ahead, so that the entry means another
 * thing.
 */
export const isRenewed = (
  { definition, desired, entry }: Pick<Instance, 'definition' | 'desired' | 'entry'>,
  { applied }: RecordedResource,
  now: Date,
): boolean => {
  const { lifetime } = definition
  if (isNone(lifetime) || !hasEnded(definition, applied, now) || hasEnded(definition, desired, now))
    return false
  const dates = lifetime.dates.filter((name) => !entry.ignoreChanges.includes(name))
  return differing(definition, dates, applied, desired).length > 0
}

/**
 * Whether such a record is kept as replaced, because its thing may go on: somebody has changed it since its last
 * write, or nobody can tell.
 */
export const mayGoOnBeside = (
  instance: Instance,
  record: RecordedResource,
  context: JudgeContext,
): boolean => {
  const { definition, identity } = instance
  if (isComplete(definition, identity) || !isRenewed(instance, record, context.now)) return false
  return mayGoOn(standingOf(definition, record, context))
}

/** Whether a thing that should be over may go on: a later event may have prolonged it, or events were not read. */
export const mayGoOn = ({
  evidence,
  mayBeProlonged,
}: Pick<Standing, 'evidence' | 'mayBeProlonged'>): boolean => mayBeProlonged || evidence.eventsUnread === true
