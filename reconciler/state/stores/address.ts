import { StateAddressError } from '../../errors/index.ts'

/** Identifies a state. */
export interface Where {
  /** A path, or an address as returned by `addressFrom`. */
  readonly statePath: string
  /** The folder of the manifest; the current folder by default. */
  readonly folder?: string
  /** The name of the manifest. */
  readonly name?: string
  /** Whether plain http to another machine is accepted. */
  readonly allowHttp?: boolean
  /** `System.sameFlags` of this state; those of the given system by default. */
  readonly sameFlags?: string
}

/** Refuses addresses of a scheme. @param hint says how they are written */
export const refusingWith =
  (hint: string) =>
  (why: string): StateAddressError =>
    new StateAddressError(`the address of the state cannot be used: ${why}`, { hint })

/** @throws StateAddressError */
export const refusePassword = (address: string): void => {
  const authority = /^[^:]+:\/\/(?<authority>[^/?#]*)/u.exec(address)?.groups?.['authority'] ?? ''
  const [user] = authority.split('@').slice(0, -1)
  if (user?.includes(':') !== true) return
  throw new StateAddressError('the address of the state contains a password', {
    hint: 'Remove it. Credentials come from elsewhere: for HTTP from DEPLOYMGMT_STATE_USERNAME and DEPLOYMGMT_STATE_PASSWORD, for git from its credential helpers, and for Postgres from PGPASSWORD.',
  })
}
