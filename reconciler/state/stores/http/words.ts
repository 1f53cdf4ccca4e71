import { tlsAdvice } from '@deploymgmt/provider/errors'
import { LockedError, StateConflictError, StateReadError, StateWriteError } from '../../../errors/index.ts'
import { unlockCommand, whileLocked } from '../../lock/lock-words.ts'
import type { System } from '../../machine/system.ts'
import type { Holder } from './lock-info.ts'
import type { Reply } from './server.ts'

type Flags = Pick<System, 'sameFlags'>

/** The place, and what to do if it refuses the credentials. */
export interface Access {
  readonly place: string
  readonly advice: string
}

export const unread = (reply: Reply, access: Access): StateReadError =>
  new StateReadError(`cannot read the state: ${answerIn(reply)}`, {
    where: access.place,
    hint: hintFor(reply, access, 'read'),
  })

/** @param what completes "cannot …" */
export const unwritten = (what: string, reply: Reply, access: Access): StateWriteError =>
  new StateWriteError(`cannot ${what}: ${answerIn(reply)}`, {
    where: access.place,
    hint: hintFor(reply, access, 'write'),
  })

/** A document that cannot be read is not overwritten. */
export const unwrittenUnread = (reply: Reply, access: Access): StateWriteError =>
  new StateWriteError(`cannot write the state: ${answerIn(reply)}`, {
    where: access.place,
    hint: hintFor(reply, access, 'read'),
  })

/** Somebody else who asked for the lock was given it. */
export const notHeld = (where: string): StateConflictError =>
  new StateConflictError('the state was not saved: the lock was removed, or the server keeps none', {
    where,
    hint: `Nothing more is sent. Run the command again. ${NO_LOCK}`,
  })

/** None was found when the lock was taken: the one that is there is left as it is. */
export const turnedUp = (where: string): StateConflictError =>
  new StateConflictError('the state was not saved: a document is there now, and none was found before', {
    where,
    hint: 'Nothing more is sent. Run the command again; if this happens often, look at what is between here and the server.',
  })

/** Reading finds no document, and the server refuses a save that would be the first. */
export const firstRefused = ({ status, said }: Reply, { place }: Access): StateWriteError =>
  new StateWriteError(
    `cannot write the state: no document was found, and the server refuses a first one with ${status}${said === '' ? '' : ` (${said})`}`,
    {
      where: place,
      hint: 'Either there is one, and something between here and the server answers in its place when it is read, or the lock was removed. Look at the address with another tool before you run the command again.',
    },
  )

/** The error for a save whose outcome is unknown. */
export const unknownSave = (reply: Reply, { place }: Access): StateWriteError =>
  new StateWriteError(
    `cannot write the state: ${answerIn(reply)}; it is not known whether the last save arrived`,
    { where: place, hint: 'Check the network and the server.' },
  )

/** The holder is not a command of this tool, or nothing is known of it. */
export const lockedBy = ({ id, words }: Holder, where: string, flags: Flags): LockedError =>
  new LockedError(`the state is locked by ${words}`, {
    where,
    hint:
      id === undefined
        ? 'Wait until it has ended, for example with --lock-timeout 5m. The server does not say what the id of the lock is.'
        : whileLocked(id, where, flags),
  })

/** The lock may be our own: an earlier attempt had no answer, and the server reports no id. */
export const perhapsOurs = (id: string, where: string, flags: Flags): LockedError =>
  new LockedError('the state is locked, but the server does not say by whom', {
    where,
    hint: `This command asked for the lock and got no answer. If no other command is using this state, run: ${unlockCommand(id, flags)}`,
  })

/** A notice: only the order of requests keeps out a previous owner. */
export const unfenced = (where: string): string =>
  `${where} accepts a save with a lock that nobody holds: before you remove a lock, make sure that its command has ended. Servers that compare ?ID= with their lock, such as GitLab and Gitea, refuse such a save.`

const answerIn = ({ status, said, tls }: Reply): string => {
  if (tls !== undefined) return said
  if (status === undefined) return `the server did not answer: ${said}`
  if (status >= 200 && status < 300)
    return `the server answers ${status}, but still has what was there before`
  const meaning = MEANINGS[status] ?? (status >= 500 ? 'it failed' : 'refused')
  return `the server answers ${status}: ${meaning}${said === '' ? '' : ` (${said})`}`
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'bad request',
  401: 'not authenticated',
  403: 'not allowed',
  404: 'there is nothing at this address',
  405: 'it does not support this request',
  408: 'it took too long',
  409: 'somebody else holds the lock',
  413: 'the document is too large',
  422: 'it rejects the document: it expects a newer serial or another format',
  423: 'somebody else holds the lock',
  429: 'too many requests',
  501: 'it does not support this request',
}

const NO_LOCK = 'A server that cannot lock cannot keep a state.'

const hintFor = ({ status, tls }: Reply, access: Access, what: 'read' | 'write'): string => {
  if (tls === 'untrusted')
    return 'If the certificate of the server is from a private authority, set DEPLOYMGMT_CA_FILE to the PEM file of that authority.'
  if (tls !== undefined) return tlsAdvice(tls, { address: 'address', server: 'server' })
  switch (status) {
    case undefined:
      return 'Check the address and the network.'
    case 401:
      return access.advice
    case 403:
      return `Check that the user or token in DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD may ${what} there.`
    case 404:
    case 405:
    case 501:
      if (access.place.endsWith('#lock'))
        return `Check the address. If the server locks with LOCK on the address itself, omit #lock. ${NO_LOCK}`
      return `Check the address. If the server locks with a POST to …/lock, as GitLab and Gitea do, add #lock. ${NO_LOCK}`
    case 413:
      return 'Raise the limit of the server, or of a proxy in front of it; in GitLab it is the maximum size of a Terraform state.'
    case 422:
      return 'Another command may have written in the meantime. To look at what is there: deploymgmt state pull'
    default:
      return status !== undefined && status >= 300 && status < 400
        ? 'It redirects: use the address that it redirects to.'
        : 'Try again later; if that does not help, ask the people who run the server.'
  }
}
