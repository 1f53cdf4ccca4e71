import { accessFrom, createClient, type Environment } from '../api/index.ts'
import { BaseUrlError, CaFileError, InsecureUrlError } from '../errors/index.ts'
import type { Plain } from './codec/plain.ts'
import type { Connection } from './connection.ts'
import { BASE_URL_PLACE, CONCURRENCY, failed, notKnownYet } from './words.ts'
import { errorAt, type Diagnostic } from './diagnostics.ts'
import { Creations } from './resource/creations.ts'
import { SharedReads } from './shared-reads.ts'

export const validateProvider = ({ values: { concurrency } }: Plain): Diagnostic[] =>
  concurrency === undefined || (Number.isSafeInteger(concurrency) && Number(concurrency) >= 1)
    ? []
    : [errorAt('concurrency', CONCURRENCY)]

/** A configuration that is not wholly known makes no client: creations can be planned, nothing else. */
export const configure = async (
  { values, unknown }: Plain,
  env: Environment,
  signal: AbortSignal,
): Promise<Connection> => {
  // A name that is not known yet is missing in messages alone.
  const open = [...unknown].filter((key) => key !== 'projects' && !key.startsWith('projects.'))
  if (open.length > 0) return { unconfigured: notKnownYet(open) }
  const text = (key: string): string | undefined => {
    const value = values[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const given = {
    baseUrl: text('baseUrl'),
    publicKey: text('publicKey'),
    privateKey: text('privateKey'),
    caFile: text('caFile'),
  }
  const access = await accessFrom(env, given, BASE_URL_PLACE)
  const concurrency = Number(values['concurrency'] ?? 10)
  // Once Terraform says stop, nothing more is sent, and what is under way is awaited.
  const client = createClient({ ...access, concurrency, signal })
  const orgId = text('orgId')
  return {
    client,
    reads: new SharedReads(client),
    orgIds: orgId === undefined ? [] : [orgId],
    projectNames: namesIn(values['projects']),
    justApplied: new Set(),
    lately: { unrecorded: [] },
    creations: new Creations(),
    takenUp: new Set(),
    givenUp: new Set(),
    said: new Set(),
  }
}

const namesIn = (projects: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(typeof projects === 'object' && projects !== null ? projects : {}).flatMap(([name, id]) =>
      typeof id === 'string' && id !== '' ? [[id, name] as const] : [],
    ),
  )

/** Why it could not be configured, at the attribute that it is about where it was given there and not in the environment. */
export const configurationFailed = (error: unknown, { values }: Plain): Diagnostic => {
  const isAddress = error instanceof BaseUrlError || error instanceof InsecureUrlError
  const key = isAddress ? 'baseUrl' : error instanceof CaFileError ? 'caFile' : ''
  return errorAt(values[key] === undefined ? undefined : key, failed(error))
}
