import type { System } from '../../machine/system.ts'

/** What authenticates requests to a server of states. Without a password, the user is a token. */
interface Credentials {
  readonly user: string
  readonly password: string
  /** What to do if the server refuses them. */
  readonly advice: string
}

const [USER, PASSWORD, STATE] = [
  'DEPLOYMGMT_STATE_USERNAME',
  'DEPLOYMGMT_STATE_PASSWORD',
  'DEPLOYMGMT_STATE',
] as const

/**
 * The credentials for a server. If the environment names a server for the state, they are for that one alone: whoever
 * can change a manifest must not be able to send them elsewhere.
 */
export const credentialsFor = (url: URL, env: System['env']): Credentials => {
  const [user, password] = [env[USER] ?? '', env[PASSWORD] ?? '']
  if (user + password === '') return { ...NONE, advice: `Set ${USER} and ${PASSWORD}.` }
  const own = originOf(env[STATE])
  if (own !== undefined && own !== url.origin)
    return {
      ...NONE,
      advice: `${USER} and ${PASSWORD} were not sent: they are for ${own} alone, because ${STATE} names a state there.`,
    }
  return { user, password, advice: adviceFor({ [USER]: user, [PASSWORD]: password }) }
}

const NONE = { user: '', password: '' }

/** The origin of an address over HTTP; undefined for any other place. */
const originOf = (place = ''): string | undefined =>
  /^https?:/iu.test(place) && URL.canParse(place) ? new URL(place).origin : undefined

/** User or password alone can be all that a server needs: a token. */
const adviceFor = (given: Readonly<Record<string, string>>): string => {
  const missing = Object.keys(given).find((name) => given[name] === '')
  return missing === undefined
    ? `Check ${USER} and ${PASSWORD}: a token may have expired.`
    : `${missing} is not set: set it. If the server only wants the token in the other one, that token may have expired.`
}
