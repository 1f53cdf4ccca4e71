import { StateWriteError } from '../../../errors/index.ts'
import { type LockOwner, ownerHere, type UnreadableOwner } from '../../lock/lock-owner.ts'
import { unlockCommand } from '../../lock/lock-words.ts'
import type { System } from '../../machine/system.ts'
import { again } from '../again.ts'
import { sayingStillLocked } from '../held.ts'
import { type Documents, patiently } from './documents.ts'
import { type Holder, holderIn, infoOf, infoOfId } from './lock-info.ts'
import { isHeldByAnother, outcomeOf, type Reply, type StateServer } from './server.ts'
import { perhapsOurs, unwritten } from './words.ts'

/** What each step needs. */
export interface Site {
  readonly place: string
  readonly refusesUnlocked: boolean
  readonly server: StateServer
  readonly documents: Documents
  readonly system: System
}

/** Acquires the server's lock. @returns the holder, if somebody else has it */
export const take = async (
  { server, documents, system }: Site,
  me: LockOwner,
): Promise<Holder | undefined> => {
  const { reply, isFirst } = await patiently(() => server.take(infoOf(me)), system)
  const holder = isHeldByAnother(reply) ? holderIn(reply.body) : undefined
  // An earlier attempt, whose answer was lost, has succeeded.
  if (outcomeOf(reply) === 'done' || holder?.id === me.id) return undefined
  if (holder?.id === undefined && holder !== undefined && !isFirst)
    throw perhapsOurs(me.id, documents.access.place, system)
  if (holder !== undefined) return holder
  const failed = unwritten('lock the state', reply, documents.access)
  if (outcomeOf(reply) === 'refused') throw failed
  throw new StateWriteError(failed.message, {
    where: failed.where,
    hint: `If this command leaves the state locked: ${unlockCommand(me.id, system)}`,
  })
}

/** Who has the lock of an owner: whoever else asks for it is refused, and told whose it is. */
export const standingOf = async (site: Site, me: LockOwner): Promise<'held' | 'taken' | 'free'> => {
  const other = await ownerHere(site.system, me.command)
  const holder = await take(site, other)
  if (holder !== undefined) return (holder.id ?? me.id) === me.id ? 'held' : 'taken'
  await sayingStillLocked(other.id, site.system, async () => void (await release(site, other.id, other)))
  return 'free'
}

/**
 * Releases a lock.
 * @returns whether this call has certainly released it, with this attempt or an earlier one
 */
export const release = async (site: Site, id: string, me?: LockOwner): Promise<boolean> =>
  (await tryRelease(site, id, me)) === 'released'

/** The same; returns the reply if the server refuses and names nobody else. */
export const tryRelease = async (
  { server, documents, system }: Site,
  id: string,
  me?: LockOwner,
): Promise<'released' | 'not ours' | Reply> => {
  const info = me === undefined ? infoOfId(id) : infoOf(me)
  for (let attempt = 0; ; attempt += 1) {
    const { reply, isFirst } = await patiently(() => server.release(info), system)
    if (outcomeOf(reply) === 'done') return 'released'
    const isRefused = isHeldByAnother(reply)
    if (!isRefused && reply.status !== 404)
      throw unwritten('release the lock of the state', reply, documents.access)
    // GitLab refuses to release a released lock; other servers have nothing there any more.
    if (!isRefused || !isFirst) return isFirst ? 'not ours' : 'released'
    // A refusal that names nobody else may be temporary.
    if ((holderIn(reply.body).id ?? id) !== id) return 'not ours'
    if (attempt === MOMENTS || !(await again(attempt, system, reply.retryAfter))) return reply
  }
}

/** How often a refusal that names nobody is treated as temporary. */
const MOMENTS = 2

/** The lock owner as named by the server or, if the lock has no id, by the document, as far as it can be known. */
export const ownerNamed = async (
  holder: Holder,
  { documents }: Site,
): Promise<LockOwner | UnreadableOwner | undefined> => {
  if (holder.owner !== undefined) return holder.owner
  const owner = (await documents.read())?.contents.owner
  return holder.id === undefined || owner?.id === holder.id ? owner : undefined
}

export const releasingOnFailure = async <T>(
  site: Site,
  me: LockOwner,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    // The error that has already occurred is the one to report.
    await release(site, me.id, me).catch(() => undefined)
    throw error
  }
}
