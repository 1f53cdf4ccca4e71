import { printable } from '@deploymgmt/provider/api'
import { type LockOwner, parseOwner, type UnreadableOwner } from '../../lock/lock-owner.ts'

/** A lock as the protocol has it; GitLab takes none that lacks one of these. */
export interface LockInfo {
  readonly ID: string
  readonly Operation: string
  readonly Info: string
  readonly Who: string
  readonly Version: string
  readonly Created: string
  readonly Path: string
}

/** `Info` has all of the owner: most servers give it back to whoever is refused. */
export const infoOf = (owner: LockOwner): LockInfo => ({
  ID: owner.id,
  Operation: owner.command,
  Info: JSON.stringify(owner),
  Who: `${owner.by ?? `process ${owner.pid}`} on ${owner.host}`,
  Version: 'deploymgmt',
  Created: owner.at,
  Path: '',
})

/** Of a lock of which nothing but the id is known. */
export const infoOfId = (id: string): LockInfo => ({
  ID: id,
  Operation: '',
  Info: '',
  Who: '',
  Version: '',
  Created: '',
  Path: '',
})

/** Who holds a lock, as a server names it. */
export interface Holder {
  /** Undefined where it does not tell. */
  readonly id: string | undefined
  /** Who it is, as far as that is known to be of this lock. */
  readonly owner: LockOwner | undefined
  /** For people. */
  readonly words: string
}

/** @param body of an answer that refuses the lock */
export const holderIn = (body: Uint8Array): Holder => {
  const found = fieldsIn(body)
  const text = (name: string): string => (typeof found[name] === 'string' ? printable(found[name], 100) : '')
  const id = text('ID') === '' ? undefined : text('ID')
  const owner = typeof found['Info'] === 'string' ? parseOwner(Buffer.from(found['Info'])) : undefined
  const since = text('Created') === '' ? '' : `, since ${text('Created')}`
  return {
    id,
    // GitLab answers who was refused with what it was asked itself.
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

/** As far as it is known, for messages. */
export const ownerOf = ({ id, owner }: Holder): LockOwner | UnreadableOwner | undefined =>
  owner ?? (id === undefined ? undefined : { id, unreadable: true })
