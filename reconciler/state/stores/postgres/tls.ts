import type { ConnectionOptions } from 'node:tls'
import { isLoopback } from '@deploymgmt/provider/api'
import { StateAddressError } from '../../../errors/index.ts'
import { readFailure } from '../../machine/failures.ts'
import type { System } from '../../machine/system.ts'
import type { PostgresAddress } from './address.ts'

/** @param host may be the folder of a socket */
const isHere = (host: string): boolean => host.startsWith('/') || isLoopback(host)

/**
 * How the connection is encrypted, in the terms of libpq. A remote server must prove its identity, unless configured
 * otherwise.
 *
 * @returns false if it is not encrypted
 * @throws StateAddressError, StateReadError
 */
export const encryptionOf = async (
  { host, sslmode }: Pick<PostgresAddress, 'host' | 'sslmode'>,
  { env, files }: Pick<System, 'env' | 'files'>,
): Promise<ConnectionOptions | false> => {
  const mode = sslmode ?? (env['PGSSLMODE'] || (isHere(host) ? 'disable' : 'verify-full'))
  const path = env['PGSSLROOTCERT'] || 'system'
  const isNamed = path !== 'system'
  const authority = async () => ({
    // Set explicitly, because otherwise an environment variable of Node can turn verification off.
    rejectUnauthorized: true,
    ...(isNamed
      ? {
          ca: await files.read(path).catch((error: unknown) => {
            throw readFailure('the certificate authority of PGSSLROOTCERT', path, error)
          }),
        }
      : {}),
  })
  if (mode === 'disable') return false
  if (mode === 'verify-full') return authority()
  if (mode === 'require' && !isNamed) return { rejectUnauthorized: false }
  if ((mode === 'require' || mode === 'verify-ca') && isNamed)
    return { ...(await authority()), checkServerIdentity: () => undefined }
  throw new StateAddressError(
    mode === 'verify-ca'
      ? 'sslmode verify-ca needs a certificate authority in PGSSLROOTCERT'
      : 'the sslmode of the state must be disable, require, verify-ca or verify-full',
    {
      hint: 'It is in the address, as ?sslmode=, or in PGSSLMODE. Modes that fall back to no encryption are not supported.',
    },
  )
}
