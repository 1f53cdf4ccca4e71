import { StateAddressError } from '../../../errors/index.ts'

/** Where a state is in a database. */
export interface PostgresAddress {
  /** A name, an IP address, or the absolute path of the folder in which the server's socket is. */
  readonly host: string
  readonly port: number
  readonly database: string
  /** Undefined where the environment says it. */
  readonly role: string | undefined
  /** As libpq has it; undefined if the environment says it. */
  readonly sslmode: string | undefined
  readonly schema: string
  /** The name of the state within the schema; undefined if the name of the manifest makes it. */
  readonly state: string | undefined
}

const PORT = 5432
const SCHEMA = 'deploymgmt'
const SETTINGS: ReadonlySet<string> = new Set(['host', 'port', 'schema', 'sslmode'])

/** What needs no quotes, so whoever looks into the database needs none either. */
const schemaName = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/u

/** @throws StateAddressError; it shows nothing of the address: a password can be anywhere in it */
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

/** The name of the state within its schema: what the address says, or the name of the manifest. */
export const stateMeant = ({ state }: PostgresAddress, name: string): string =>
  state ?? (name || nothing('state'))

/** For people and for records: where the state is, and not who gets in. */
export const placeOf = ({ host, port, database, schema }: PostgresAddress, state: string): string => {
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
  // The error of the parser would show the address.
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

const refused = (why: string): StateAddressError =>
  new StateAddressError(`the address of the state cannot be used: ${why}`, {
    hint: 'Write postgres://HOST/DATABASE, with USER@ and :PORT where needed. To name one of several states, add #NAME. The password comes from PGPASSWORD or the password file.',
  })
