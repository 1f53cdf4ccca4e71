import { readFile, stat } from 'node:fs/promises'
import { CredentialsError, SettingMissingError } from '../errors/index.ts'

/** Where the service is and who calls it. */
export interface ServiceAccess {
  readonly baseUrl: string
  readonly publicKey: string
  readonly privateKey: string
  readonly caFile: string | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * What every door needs to reach a service: what it was given, and for the rest the environment.
 * @throws SettingMissingError, CredentialsError naming the variable that is not set.
 */
export const accessFrom = async (
  env: Environment,
  given: { readonly [K in keyof ServiceAccess]?: string | undefined } = {},
  hint = '',
): Promise<ServiceAccess> => {
  const baseUrl = given.baseUrl ?? baseUrlIn(env, hint)
  const publicKey = given.publicKey ?? setting(env, 'DEPLOYMGMT_PUBLIC_KEY')
  if (publicKey === undefined) throw new CredentialsError('DEPLOYMGMT_PUBLIC_KEY is not set')
  const privateKey = given.privateKey ?? (await privateKeyFrom(env))
  return { baseUrl, publicKey, privateKey, caFile: given.caFile ?? setting(env, 'DEPLOYMGMT_CA_FILE') }
}

/** The address alone, as it was set. @throws SettingMissingError */
export const baseUrlIn = (env: Environment, hint = ''): string => {
  const baseUrl = setting(env, 'DEPLOYMGMT_BASE_URL')
  if (baseUrl !== undefined) return baseUrl
  throw new SettingMissingError('DEPLOYMGMT_BASE_URL is not set', {
    hint: `Set it to the address of the service, such as https://deploymgmt.example.com/api/public/v1.0${hint}.`,
  })
}

const setting = (env: Environment, name: string): string | undefined =>
  env[name] === '' ? undefined : env[name]

/** A key is a few dozen characters; a file that is larger is another file. */
const MAX_KEY_BYTES = 64 * 1024

const privateKeyFrom = async (env: Environment): Promise<string> => {
  const direct = setting(env, 'DEPLOYMGMT_PRIVATE_KEY')
  if (direct !== undefined) return direct
  const file = setting(env, 'DEPLOYMGMT_PRIVATE_KEY_FILE')
  if (file === undefined)
    throw new CredentialsError('neither DEPLOYMGMT_PRIVATE_KEY nor DEPLOYMGMT_PRIVATE_KEY_FILE is set')
  const refuse = (why: string) =>
    new CredentialsError(`the file of DEPLOYMGMT_PRIVATE_KEY_FILE ${why}`, { where: file })
  const facts = await stat(file).catch(() => undefined)
  if (facts !== undefined && facts.size > MAX_KEY_BYTES) throw refuse('is too large for a key')
  const text = await readFile(file, 'utf8').catch(() => {
    throw refuse('cannot be read')
  })
  return text.trim()
}
