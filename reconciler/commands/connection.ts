import { readFile, stat } from 'node:fs/promises'
import { createClient, type Client } from '@deploymgmt/provider/api'
import { CredentialsError } from '@deploymgmt/provider/errors'
import type { Io } from '../io.ts'
import { SettingMissingError } from '../errors/index.ts'

/** Where the service is and who calls it. The private key never comes from the command line. */
export interface Connection {
  readonly baseUrl: string
  /** The name by which a state knows the service, where its address changes from command to command. */
  readonly knownAs?: string
  readonly publicKey: string
  readonly privateKey: string
  readonly caFile: string | undefined
  readonly allowHttp: boolean
}

/** @throws SettingMissingError, CredentialsError when the environment does not tell. */
export const connectionFrom = async ({ env }: Io, options: { allowHttp?: boolean }): Promise<Connection> => {
  const baseUrl = setting(env, 'DEPLOYMGMT_BASE_URL')
  if (baseUrl === undefined)
    throw new SettingMissingError('DEPLOYMGMT_BASE_URL is not set', {
      hint: 'Set it to the address of the service, such as https://opsmgr.example.com/api/public/v1.0; or try --local.',
    })
  const publicKey = setting(env, 'DEPLOYMGMT_PUBLIC_KEY')
  if (publicKey === undefined) throw new CredentialsError('DEPLOYMGMT_PUBLIC_KEY is not set')
  return {
    baseUrl,
    publicKey,
    privateKey: await privateKeyFrom(env),
    caFile: setting(env, 'DEPLOYMGMT_CA_FILE'),
    allowHttp: options.allowHttp === true,
  }
}

const setting = (env: Io['env'], name: string): string | undefined =>
  env[name] === '' ? undefined : env[name]

const privateKeyFrom = async (env: Io['env']): Promise<string> => {
  const direct = setting(env, 'DEPLOYMGMT_PRIVATE_KEY')
  if (direct !== undefined) return direct
  const file = setting(env, 'DEPLOYMGMT_PRIVATE_KEY_FILE')
  if (file === undefined)
    throw new CredentialsError('neither DEPLOYMGMT_PRIVATE_KEY nor DEPLOYMGMT_PRIVATE_KEY_FILE is set')
  try {
    const { size } = await stat(file)
    if (size > 64 * 1024)
      throw new CredentialsError('the file of DEPLOYMGMT_PRIVATE_KEY_FILE is too large for a key', {
        where: file,
      })
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof CredentialsError) throw error
    throw new CredentialsError('the file of DEPLOYMGMT_PRIVATE_KEY_FILE cannot be read', { where: file })
  }
}

export const clientFor = (
  { baseUrl, publicKey, privateKey, caFile, allowHttp }: Connection,
  options: { concurrency: number; signal?: AbortSignal; onRequest?: () => void },
): Client =>
  createClient({
    baseUrl,
    publicKey,
    privateKey,
    allowHttp,
    concurrency: options.concurrency,
    ...(caFile === undefined ? {} : { caFile }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.onRequest === undefined ? {} : { onRequest: options.onRequest }),
  })
