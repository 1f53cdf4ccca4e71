import { printable } from '@deploymgmt/provider/api'
import { type LockOwner, parseOwner, type UnreadableOwner } from '../../lock/lock-owner.ts'

/** A lock in the format of the protocol; GitLab refuses one that lacks any of these properties. */
export interface LockInfo {
  readonly ID: string
  readonly Operation: string
  readonly Info: string
  readonly Who: string
  readonly Version: string
  readonly Created: string
  readonly Path: string
}

/** `Info` contains the whole owner: most servers return it to whoever is refused. */
export const infoOf = (owner: LockOwner): LockInfo => ({
  ID: owner.id,
  Operation: owner.command,
  Info: JSON.stringify(owner),
  Who: `${owner.by ?? `process ${owner.pid}`} on ${owner.host}`,
  Version: 'deploymgmt',
  Created: owner.at,
  Path: '',
})

/** The lock info if only the id is known. */
export const infoOfId = (id: string): LockInfo => ({
  ID: id,
  Operation: '',
  Info: '',
  Who: '',
  Version: '',
  Created: '',
  Path: '',
})

/** The holder of a lock, as the server names it. */
export interface Holder {
  /** Undefined if the server does not say. */
  readonly id: string | undefined
  /** The owner, if it is known to be the owner of this lock. */
  readonly owner: LockOwner | undefined
  /** For people. */
  readonly words: string
}

/** @param body of the answer that refuses the lock */
export const holderIn = (body: Uint8Array): Holder => {
  const found = fieldsIn(body)
  const text = (name: string): string => (typeof found[name] === 'string' ? printable(found[name], 100) : '')
  const id = text('ID') === '' ? undefined : text('ID')
  const owner = typeof found['Info'] === 'string' ? parseOwner(Buffer.from(found['Info'])) : undefined
  const since = text('Created') === '' ? '' : `, since ${text('Created')}`
  return {
    id,
    // GitLab's refusal repeats the info of the request, not of the holder.
    owner: owner !== undefined && !('unreadable' in owner) && owner.id === id ? owner : undefined,
    words: `${text('Who') === '' ? 'somebody' : JSON.stringify(text('Who'))}${since}`,
  }
}

const fieldsIn = (body: Uint8Array): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The owner as far as it is known, for messages. */
export const ownerOf = ({ id, owner }: Holder): LockOwner | UnreadableOwner | undefined =>
  owner ?? (id === undefined ? undefined : { id, unreadable: true })
