import {
  accessFrom,
  checkBaseUrl,
  checkPrivateKey,
  checkPublicKey,
  createClient,
  type Client,
  type Environment,
  type RequestEvent,
} from '../../api/index.ts'
import { DAY_MS, fillPath, type KindDefinition, type Values } from '../../core/index.ts'
import { ORGANIZATION_EVENTS } from '../../engine/index.ts'
import { CaFileError, RequestError, TlsError } from '../../errors/index.ts'
import type { Plain } from '../codec/plain.ts'
import type { Connection } from './connection.ts'
import { anotherName, noId, noName, notKnownYet, noWholeNumber } from '../words/configuration.ts'
import { failed } from '../words/failures.ts'
import { errorAt, type Diagnostic } from '../diagnostics.ts'
import { Creations } from './creations.ts'
import { SaidOnce } from './said-once.ts'
import { SharedReads } from './shared-reads.ts'
import { Turns } from './turns.ts'
import { checkId } from '../value-checks.ts'

/** The longest time that can be configured, a day: well within the limit of a timer. */
const MOST_SECONDS = DAY_MS / 1000
const WHOLE_NUMBERS = [
  { key: 'concurrency', least: 1, most: Number.MAX_SAFE_INTEGER },
  { key: 'requestTimeoutSeconds', least: 1, most: MOST_SECONDS },
  { key: 'retryTimeoutSeconds', least: 0, most: MOST_SECONDS },
] as const

export const validateProvider = (config: Plain): Diagnostic[] => [
  ...wrongAccess(config),
  ...wrongNumbers(config),
  ...checkId('orgId', config.values['orgId']),
  ...idsIn(config.values['projects']).flatMap(([name, id]) => checkId('projects', id, name)),
  ...wrongNames(config),
]

/** Names of projects that name nothing, have no text, or are one too many for an id. */
const wrongNames = ({ values: { projects }, unknown }: Plain): Diagnostic[] => {
  const named = typeof projects === 'object' && projects !== null ? Object.entries(projects) : []
  const first = new Map(
    idsIn(projects)
      .toReversed()
      .map(([name, id]) => [id, name]),
  )
  return named.flatMap(([name, id]: [string, unknown]) => {
    if (name === '') return [errorAt('projects', noName)]
    if (unknown.has(`projects.${name}`)) return []
    if (typeof id !== 'string') return [errorAt('projects', noId(name))]
    const other = first.get(id) ?? name
    return other === name ? [] : [errorAt('projects', anotherName(name, id, other))]
  })
}

/** What the client itself would refuse, at its attribute. Terraform validates once more when all values are known. */
const wrongAccess = (config: Plain): Diagnostic[] =>
  Object.entries(ACCESS_CHECKS).flatMap(([key, refuse]) => {
    const value = textIn(config, key)
    try {
      if (value !== undefined) refuse(value)
      return []
    } catch (error) {
      return [errorAt(key, failed(error))]
    }
  })

const ACCESS_CHECKS: Readonly<Record<string, (value: string) => unknown>> = {
  baseUrl: (url) => checkBaseUrl(url),
  publicKey: checkPublicKey,
  privateKey: checkPrivateKey,
}

/** An empty text counts as omitted. */
const textIn = ({ values }: Plain, key: string): string | undefined => {
  const value = values[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const wrongNumbers = ({ values }: Plain): Diagnostic[] =>
  WHOLE_NUMBERS.flatMap(({ key, least, most }) => {
    const value = values[key]
    if (value === undefined) return []
    const isFine = Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
    return isFine ? [] : [errorAt(key, noWholeNumber(key, least, most))]
  })

/** What a configuration depends on. */
export interface ConfigureContext {
  readonly env: Environment
  /** Aborted once Terraform asks to stop. */
  readonly signal: AbortSignal
  /** Called for each request on the wire. */
  readonly note: (event: RequestEvent, privateKey: string) => void
  readonly kinds: readonly KindDefinition[]
}

/** A configuration with unknown values makes no client: creations can be planned, nothing else. */
export const configure = async (config: Plain, context: ConfigureContext): Promise<Connection> => {
  const { values, unknown } = config
  const open = [...unknown].filter((key) => !canWait(key))
  if (open.length > 0) return { unconfigured: notKnownYet(open), saidOnce: new SaidOnce() }
  const client = await clientFor(config, context)
  const orgId = textIn(config, 'orgId')
  // A failure that affects all requests is reported once here, and not by each resource.
  await client.reach(fillPath(ORGANIZATION_EVENTS.path, { orgId: orgId ?? ANY_ID }))
  return {
    client,
    reads: new SharedReads(client),
    kinds: context.kinds,
    orgIds: orgId === undefined ? [] : [orgId],
    projectNames: namesIn(values['projects']),
    justApplied: new Set(),
    ownWrites: { unrecorded: [] },
    creations: new Creations(),
    turns: new Turns(),
    takenUp: new Set(),
    givenUp: new Set(),
    inState: new Set(),
    claims: new Map(),
    undone: new Map(),
    saidOnce: new SaidOnce(),
  }
}

const clientFor = async (
  config: Plain,
  { env, signal, note }: Omit<ConfigureContext, 'kinds'>,
): Promise<Client> => {
  const access = await accessFrom(env, {
    baseUrl: textIn(config, 'baseUrl'),
    publicKey: textIn(config, 'publicKey'),
    privateKey: textIn(config, 'privateKey'),
    caFile: textIn(config, 'caFile'),
  })
  return createClient({
    ...access,
    ...limitsIn(config.values),
    proxies: env,
    // Once Terraform asks to stop, nothing more is sent, and requests under way are awaited.
    signal,
    onRequest: (event) => note(event, access.privateKey),
  })
}

/** Whether a plan can do without a setting: with the usual limits, or with ids for the names of projects. */
const canWait = (key: string): boolean =>
  key === 'projects' || key.startsWith('projects.') || WHOLE_NUMBERS.some((each) => each.key === key)

/** Every path asks for credentials first, whatever it names. */
const ANY_ID = '0'.repeat(24)

/** Omitted settings keep the client's defaults. */
const limitsIn = ({ concurrency, requestTimeoutSeconds, retryTimeoutSeconds }: Values) => ({
  ...(concurrency === undefined ? {} : { concurrency: Number(concurrency) }),
  ...(requestTimeoutSeconds === undefined ? {} : { deadlineMs: Number(requestTimeoutSeconds) * 1000 }),
  ...(retryTimeoutSeconds === undefined ? {} : { totalRetryMs: Number(retryTimeoutSeconds) * 1000 }),
})

const namesIn = (projects: unknown): ReadonlyMap<string, string> =>
  new Map(idsIn(projects).map(([name, id]) => [id, name]))

/** Ids of projects by name; an empty id counts as omitted. */
const idsIn = (projects: unknown): (readonly [name: string, id: string])[] =>
  Object.entries(typeof projects === 'object' && projects !== null ? projects : {}).flatMap(([name, id]) =>
    typeof id === 'string' && id !== '' ? [[name, id] as const] : [],
  )

/** Why the configuration failed, at the attribute concerned if the configuration (and not the environment) set it. */
export const configurationFailed = (error: unknown, { values }: Plain): Diagnostic => {
  const key = attributeOf(error)
  return errorAt(values[key] === undefined ? undefined : key, failed(error))
}

const attributeOf = (error: unknown): string => {
  if (error instanceof CaFileError || (error instanceof TlsError && error.fault === undefined))
    return 'caFile'
  return error instanceof RequestError ? 'baseUrl' : ''
}
