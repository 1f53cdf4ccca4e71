import { stat } from 'node:fs/promises'
import { enumerated } from '../core/text.ts'
import { CredentialsError, SettingMissingError } from '../errors/index.ts'
import { readAtMost } from './read-limited.ts'

/** Where the service is and who calls it. */
export interface ServiceAccess {
  readonly baseUrl: string
  readonly publicKey: string
  readonly privateKey: string
  readonly caFile: string | undefined
}

const BASE_URL = 'DEPLOYMGMT_BASE_URL'
const PUBLIC_KEY = 'DEPLOYMGMT_PUBLIC_KEY'
const PRIVATE_KEY = 'DEPLOYMGMT_PRIVATE_KEY'
const PRIVATE_KEY_FILE = 'DEPLOYMGMT_PRIVATE_KEY_FILE'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * What every door needs to reach a service: the given values, and the rest from the environment.
 * @throws SettingMissingError, CredentialsError naming every variable that is not set
 */
export const accessFrom = async (
  env: Environment,
  given: { readonly [K in keyof ServiceAccess]?: string | undefined } = {},
  hint = '',
): Promise<ServiceAccess> => {
  const baseUrl = given.baseUrl ?? setting(env, BASE_URL)
  const publicKey = given.publicKey ?? setting(env, PUBLIC_KEY)
  const hasKey = given.privateKey !== undefined || hasPrivateKey(env)
  if (baseUrl === undefined || publicKey === undefined || !hasKey)
    throw missing(
      [
        ...(baseUrl === undefined ? [BASE_URL] : []),
        ...(publicKey === undefined ? [PUBLIC_KEY] : []),
        ...(hasKey ? [] : [`${PRIVATE_KEY} (or ${PRIVATE_KEY_FILE})`]),
      ],
      hint,
    )
  const privateKey = given.privateKey ?? (await privateKeyFrom(env))
  return { baseUrl, publicKey, privateKey, caFile: given.caFile ?? setting(env, 'DEPLOYMGMT_CA_FILE') }
}

/** Which private key counts if the environment has two; undefined if it does not. */
export const privateKeyWarning = (env: Environment): string | undefined =>
  setting(env, PRIVATE_KEY) !== undefined && setting(env, PRIVATE_KEY_FILE) !== undefined
    ? `${PRIVATE_KEY} and ${PRIVATE_KEY_FILE} are both set: ${PRIVATE_KEY} counts, and the file is not read`
    : undefined

/** Only the address, as it is set. @throws SettingMissingError */
export const baseUrlIn = (env: Environment, hint: string): string => {
  const baseUrl = setting(env, BASE_URL)
  if (baseUrl !== undefined) return baseUrl
  throw missing([BASE_URL], hint)
}

/** The settings are missing if there is no address, otherwise the credentials. */
const missing = (names: readonly string[], hint: string): SettingMissingError | CredentialsError => {
  const what = `${enumerated(names)} ${names.length === 1 ? 'is' : 'are'} not set`
  if (names[0] !== BASE_URL) return new CredentialsError(what)
  const keys =
    names.length === 1 ? '' : ` Set ${PUBLIC_KEY} and ${PRIVATE_KEY} to the two halves of an API key.`
  const address = 'the address of the service, such as https://deploymgmt.example.com/api/public/v1.0'
  return new SettingMissingError(what, { hint: `Set ${BASE_URL} to ${address}${hint}.${keys}` })
}

const setting = (env: Environment, name: string): string | undefined =>
  env[name] === '' ? undefined : env[name]

/** A key is a few dozen characters; a larger file is another file. */
const MAX_KEY_BYTES = 64 * 1024

const hasPrivateKey = (env: Environment): boolean =>
  setting(env, PRIVATE_KEY) !== undefined || setting(env, PRIVATE_KEY_FILE) !== undefined

/**
 * The private key, as far as it is known without a call. A pipe is not read: that works once, for whoever needs the
 * key.
 */
export const knownPrivateKey = async (env: Environment): Promise<string | undefined> => {
  const direct = setting(env, PRIVATE_KEY)
  const file = setting(env, PRIVATE_KEY_FILE)
  if (direct !== undefined || file === undefined) return direct
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
  return isFile ? privateKeyFrom(env).catch(() => undefined) : undefined
}

const privateKeyFrom = async (env: Environment): Promise<string> => {
  const direct = setting(env, PRIVATE_KEY)
  if (direct !== undefined) return direct
  const file = setting(env, PRIVATE_KEY_FILE) ?? ''
  const refuse = (why: string) =>
    new CredentialsError(`the file of ${PRIVATE_KEY_FILE} ${why}`, {
      // Whatever does not look like a path may be the key itself.
      where: /[./\\]/.test(file)
        ? file
        : `its value is not shown: it may be a key, which ${PRIVATE_KEY} takes`,
    })
  const bytes = await readAtMost(file, MAX_KEY_BYTES).catch(() => {
    throw refuse('cannot be read')
  })
  if (bytes === undefined) throw refuse('is too large for a key')
  return bytes.toString('utf8').trim()
}
