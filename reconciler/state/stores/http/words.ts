import { tlsAdvice } from '@deploymgmt/provider/errors'
import { LockedError, StateReadError, StateWriteError } from '../../../errors/index.ts'
import { unlockCommand, whileLocked } from '../../lock/lock-words.ts'
import type { Surroundings } from '../../machine/host.ts'
import type { Holder } from './lock-info.ts'
import type { Reply } from './server.ts'

type Flags = Pick<Surroundings, 'sameFlags'>

/** Where, and what is known of who asks. */
export interface Asked {
  readonly place: string
  readonly hasCredentials: boolean
  /** Of user and password, the variable that says nothing while the other one does. */
  readonly lacking?: string | undefined
}

export const unread = (reply: Reply, asked: Asked): StateReadError =>
  new StateReadError(`cannot read the state: ${answerIn(reply)}`, {
    where: asked.place,
    hint: hintFor(reply, asked, 'read'),
  })

/** @param what completes "cannot …" */
export const unwritten = (what: string, reply: Reply, asked: Asked): StateWriteError =>
  new StateWriteError(`cannot ${what}: ${answerIn(reply)}`, {
    where: asked.place,
    hint: hintFor(reply, asked, 'write'),
  })

/** What is there cannot be read, and so is not written to. */
export const unwrittenUnread = (reply: Reply, asked: Asked): StateWriteError =>
  new StateWriteError(`cannot write the state: ${answerIn(reply)}`, {
    where: asked.place,
    hint: hintFor(reply, asked, 'read'),
  })

/** A save that nobody knows anything of. */
export const unknownSave = (reply: Reply, { place }: Asked): StateWriteError =>
  new StateWriteError(
    `cannot write the state: ${answerIn(reply)}; whether the last save has arrived is not known`,
    { where: place, hint: 'Check the network, and whether the server works.' },
  )

/** Who is waited for is no command of ours, or one of which nothing is known. */
export const lockedBy = ({ id, words }: Holder, where: string, flags: Flags): LockedError =>
  new LockedError(`the state is locked by ${words}`, {
    where,
    hint:
      id === undefined
        ? 'Wait until it has ended; --lock-timeout 5m does so. The server does not tell the id of the lock.'
        : whileLocked(id, where, flags),
  })

/** It may be our own lock: an attempt before had no answer, and the server tells no id. */
export const perhapsOurs = (id: string, where: string, flags: Flags): LockedError =>
  new LockedError('the state is locked, and the server does not tell by whom', {
    where,
    hint: `This command asked for the lock and got no answer. If no other command is at work on this state, run: ${unlockCommand(id, flags)}`,
  })

/** What an owner of before could do there is what this tool promises that it cannot. */
export const unfenced = (where: string): StateWriteError =>
  new StateWriteError(
    'the server takes a save under a lock that nobody holds: a command whose lock was taken away could go on writing',
    {
      where,
      hint: 'The attempt has left a document there, with what was there before and nothing else. Use a server that compares ?ID= with its lock, as GitLab and Gitea do, or keep the state in git.',
    },
  )

const answerIn = ({ status, said, tls }: Reply): string => {
  if (tls !== undefined) return said
  if (status === undefined) return `the server does not answer: ${said}`
  if (status >= 200 && status < 300) return `the server answers ${status}, and has what was there before`
  const meaning = MEANINGS[status] ?? (status >= 500 ? 'it has failed' : 'it refuses')
  return `the server answers ${status}: ${meaning}${said === '' ? '' : ` (${said})`}`
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'it does not accept the request',
  401: 'it does not let in',
  403: 'it does not allow this',
  404: 'there is nothing at this address',
  405: 'it knows no such request',
  408: 'it took too long',
  409: 'somebody else holds the lock',
  413: 'the document is too large for it',
  422: 'it does not take the document: it wants a newer serial, or another form',
  423: 'somebody else holds the lock',
  429: 'too many requests',
  501: 'it knows no such request',
}

const hintFor = ({ status, tls }: Reply, asked: Asked, what: 'read' | 'write'): string => {
  if (tls === 'untrusted')
    return 'If the server has a certificate of a private authority, name its PEM file in DEPLOYMGMT_CA_FILE.'
  if (tls !== undefined) return tlsAdvice(tls, { address: 'address', server: 'server' })
  switch (status) {
    case undefined:
      return 'Check the address and the network.'
    case 401:
      return credentialsFor(asked)
    case 403:
      return `Check that the user or the token of DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD may ${what} there.`
    case 404:
    case 405:
    case 501:
      if (asked.place.endsWith('#lock'))
        return 'Check the address. Where its lock is taken by LOCK of the address itself, leave #lock out.'
      return 'Check the address. Where its lock is taken by a POST to …/lock, as GitLab and Gitea have it, write #lock behind it.'
    case 413:
      return 'Raise the limit of the server, or of a proxy before it; in GitLab it is the size of a Terraform state.'
    case 422:
      return 'Look at what is there: deploymgmt state pull. Another command may have written meanwhile.'
    default:
      return status !== undefined && status >= 300 && status < 400
        ? 'It leads elsewhere: write the address that it leads to.'
        : 'Try again later; if it stays so, ask who runs the server.'
  }
}

/** Either one alone can be all that a server asks for: a token. */
const credentialsFor = ({ hasCredentials, lacking }: Asked): string => {
  if (!hasCredentials) return 'Set DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD.'
  if (lacking === undefined)
    return 'Check DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD: a token can have ended.'
  return `${lacking} is not set: set it. Where a token in the other one is all that the server wants, it can have ended.`
}
