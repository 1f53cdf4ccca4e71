import { LockedError, LockMismatchError, StateConflictError, StateWriteError } from '../../errors/index.ts'
import { type LockOwner, ownerInWords, type UnreadableOwner } from './lock-owner.ts'
import type { System } from '../machine/system.ts'
import { schemeOf } from '../machine/paths.ts'
import { shellWord } from '../../text/display.ts'

type Flags = Pick<System, 'sameFlags'>

/** For the user. */
export const takenOver = (owner: LockOwner): string =>
  `Took over the lock of ${ownerInWords(owner)}, which is no longer running.`

export const locked = (lock: string, owner: LockOwner | UnreadableOwner, flags: Flags): LockedError => {
  if ('unreadable' in owner) {
    return new LockedError('the state is locked, but its lock file does not say by whom', {
      where: lock,
      hint: `If no other command is using this state, ${unlocking(owner.id, lock, flags)}`,
    })
  }
  return new LockedError(`the state is locked by ${ownerInWords(owner)}`, {
    where: lock,
    hint: whileLocked(owner.id, lock, flags),
  })
}

/** @param lock where the lock is; beside a file, nobody waits for the owner once the lock is gone */
export const whileLocked = (id: string, lock: string, flags: Flags): string =>
  `Wait until it has ended, for example with --lock-timeout 5m. If it has certainly ended, ${unlocking(id, lock, flags)}`

/** A lock whose owner is at work on this machine, although somebody says that it has ended. */
export const stillRunning = (lock: string, owner: LockOwner, flags: Flags): LockedError =>
  new LockedError(`the lock was not removed: ${ownerInWords(owner)} is running on this machine`, {
    where: lock,
    hint: `So --owner-ended is not true. Wait until it has ended, or end process ${owner.pid}: the next command then takes the lock over. To remove the lock from under it, run: ${unlockCommand(owner.id, flags)}`,
  })

/** The command that removes the lock, for a person to copy. */
export const unlockCommand = (id: string, { sameFlags }: Flags): string =>
  `deploymgmt state unlock ${shellWord(id)}${sameFlags}`

const unlocking = (id: string, lock: string, flags: Flags): string =>
  `run: ${unlockCommand(id, flags)}${schemeOf(lock) === undefined ? '' : `\n  ${WAITING}`}`

/** If the state is elsewhere, its former owner may still be at work on a machine that is out of sight. */
const WAITING =
  'The next apply then waits up to 90 s, until no request of that command can still be under way. With --owner-ended, for a machine that is gone, it does not wait.'

export const noLock = (lock: string): LockMismatchError =>
  new LockMismatchError('there is no lock: the state is not locked', {
    where: lock,
    hint: 'There is nothing to do. If a command found the state locked, name its state with --state.',
  })

/** @param owner undefined if the lock was taken over or released at this moment */
export const lockMismatch = (
  lock: string,
  id: string,
  owner: LockOwner | UnreadableOwner | undefined,
  flags: Flags,
): LockMismatchError => {
  const what = `the lock ${JSON.stringify(id)} was not removed`
  if (owner === undefined) {
    return new LockMismatchError(`${what}: another command is taking it over, or it has just been released`, {
      where: lock,
      hint: 'Run the command that found the state locked again.',
    })
  }
  const found =
    'unreadable' in owner
      ? `the lock there has the id ${owner.id}`
      : `the lock there is ${owner.id}, held by ${ownerInWords(owner)}`
  return new LockMismatchError(`${what}: ${found}`, {
    where: lock,
    hint: `If the command that holds it has certainly ended, run: ${unlockCommand(owner.id, flags)}`,
  })
}

/** An owner whose lock was removed can write nothing more. @param owner the current holder, if known */
export const lockLost = (where: string, owner?: LockOwner | UnreadableOwner): StateConflictError => {
  const by = owner === undefined || 'unreadable' in owner ? '' : `; now ${ownerInWords(owner)} holds it`
  return notSaved(where, `the lock was removed${by}`)
}

/**
 * The store no longer has what this command wrote last: somebody has written to it despite our lock, or holds the lock
 * now. @param what is named as what was written to
 */
export const conflictAt = (
  where: string,
  what: string,
  {
    owner,
    id,
    isGone,
  }: {
    readonly owner: LockOwner | UnreadableOwner | undefined
    readonly id: string
    readonly isGone: boolean
  },
): StateConflictError => {
  if (isGone) return notSaved(where, `${what} is gone`)
  if (owner?.id !== id) return lockLost(where, owner)
  const why = `somebody else has written to ${what}, or it has lost the last write, as after a failover`
  return notSaved(where, why)
}

/** @param why completes "the state was not saved: …" */
const notSaved = (where: string, why: string): StateConflictError =>
  new StateConflictError(`the state was not saved: ${why}`, {
    where,
    hint: 'Nothing more is sent. Run the command again: it finds out what was not recorded.',
  })

export const lockChanging = (lock: string): LockedError =>
  new LockedError('other commands keep taking the lock first', { where: lock, hint: 'Try again.' })

export const deadLink = (lock: string): StateWriteError =>
  new StateWriteError('cannot write the lock: it is a symbolic link that leads to nothing', {
    where: lock,
    hint: 'Remove the link if no other command is using this state.',
  })
