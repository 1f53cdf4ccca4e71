import { refusingWith } from '../address.ts'

/** The location of a state in a database. */
export interface PostgresAddress {
  /** A host name, an IP address, or the absolute path of the folder of the server's socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  /** Undefined if the environment provides it. */
  readonly role: string | undefined
  /** As in libpq; undefined if the environment provides it. */
  readonly sslmode: string | undefined
  readonly schema: string
  /** The name of the state within the schema; undefined if the name of the manifest determines it. */
  readonly state: string | undefined
}

const PORT = 5432
const SCHEMA = 'deploymgmt'
const SETTINGS: ReadonlySet<string> = new Set(['host', 'port', 'schema', 'sslmode'])

/** Names that need no quotes, so that people who query the database need none either. */
const schemaName = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/u

/** @throws StateAddressError; it shows nothing of the address, because a password can be anywhere in it */
export const postgresAddress = (text: string): PostgresAddress => {
  const url = parsed(text)
  const settings = new Map(url.searchParams)
  if (url.password !== '' || [...settings.keys()].some((key) => !SETTINGS.has(key)))
    throw refused(`only ${[...SETTINGS].join(', ')} can follow ?`)
  const schema = settings.get('schema') ?? SCHEMA
  if (!schemaName.test(schema)) throw refused('schema must be a name of lower-case letters, digits and _')
  return {
    host: hostOf(url, settings.get('host')),
    port: portOf(url.port || (settings.get('port') ?? '')),
    database: named(url.pathname.slice(1)) ?? nothing('database'),
    role: named(url.username),
    sslmode: settings.get('sslmode'),
    schema,
    state: named(url.hash.slice(1)),
  }
}

/** The name of the state within its schema: from the address, or the name of the manifest. */
export const stateName = ({ state }: PostgresAddress, name: string): string =>
  state ?? (name || nothing('state'))

/** For people and for records: the location of the state, without credentials. */
export const postgresPlace = ({ host, port, database, schema }: PostgresAddress, state: string): string => {
  const isSocket = host.startsWith('/')
  const at = `${host.includes(':') ? `[${host}]` : host}${port === PORT ? '' : `:${port}`}`
  const settings = [
    ...(isSocket ? [`host=${host}`] : []),
    ...(isSocket && port !== PORT ? [`port=${port}`] : []),
    ...(schema === SCHEMA ? [] : [`schema=${schema}`]),
  ].join('&')
  const behind = settings === '' ? '' : `?${settings}`
  return `postgres://${isSocket ? '' : at}/${encodeURIComponent(database)}${behind}#${encodeURIComponent(state)}`
}

const parsed = (text: string): URL => {
  // The parser's own error would show the address.
  if (!/^postgres(?:ql)?:\/\//iu.test(text) || !URL.canParse(text)) throw refused('it is not a valid address')
  return new URL(text)
}

const portOf = (text: string): number => {
  if (!/^\d{0,5}$/u.test(text)) throw refused('its port is not a number')
  return text === '' ? PORT : Number(text)
}

const hostOf = ({ hostname }: URL, folder: string | undefined): string => {
  const host = named(hostname)?.replace(/^\[(?<inner>.*)\]$/u, '$<inner>')
  if (folder !== undefined && (host !== undefined || !folder.startsWith('/')))
    throw refused('host is the folder of a socket, and nothing else may come before the name of the database')
  if (host?.includes(',') === true) throw refused('it names several servers, but a state is on one')
  return folder ?? host?.toLowerCase() ?? nothing('server')
}

const named = (part: string): string | undefined => {
  try {
    return part === '' ? undefined : decodeURIComponent(part)
  } catch {
    throw refused('it is not a valid address')
  }
}

const nothing = (what: string): never => {
  throw refused(`it does not name a ${what}`)
}

const refused = refusingWith(
  'Write postgres://HOST/DATABASE, with USER@ and :PORT where needed. To name one of several states, add #NAME. The password comes from PGPASSWORD or the password file.',
)
