import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Declaration } from '@deploymgmt/provider/engine'
import { loadDeclaration } from '../../config/index.ts'
import { ServeError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { exists, inWords } from '../../disk/files.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import type { Connection } from './connection.ts'

/** The folder of a rehearsal, beside the manifest. */
const LOCAL_FOLDER = '.deploymgmt'
export const LOCAL_STATE = `${LOCAL_FOLDER}/local.state.json`
export const LOCAL_DATA = `${LOCAL_FOLDER}/local.sqlite`
export const LOCAL_FIXTURE = `${LOCAL_FOLDER}/fixture.yaml`
/** The port differs from command to command, so the state uses this name for the rehearsal. */
export const LOCAL_NAME = 'http://localhost/api/public/v1.0'
/** No secret: the service listens on loopback for the duration of one command, and only holds rehearsals. */
const KEY = { publicKey: 'local', privateKey: 'local-rehearsal' }

interface Local {
  readonly connection: Connection
  close(): Promise<void>
}

/**
 * Starts the embedded service for one command. A new store is filled from `.deploymgmt/fixture.yaml`, or with the
 * organizations and projects that the manifest names; those named later are added.
 */
export const startLocal = async (
  io: Io,
  options: Pick<CommonOptions, 'file' | 'var' | 'varFile'>,
): Promise<Local> => {
  await makeFolder(resolve(io.cwd, LOCAL_FOLDER))
  const { ServiceStartError, startService } = await import('@deploymgmt/service')
  const declared = await declaredFixture(io, options)
  const given = await givenFixture(resolve(io.cwd, LOCAL_FIXTURE))
  const where = resolve(io.cwd, given === undefined ? LOCAL_DATA : LOCAL_FIXTURE)
  const path = resolve(io.cwd, LOCAL_DATA)
  const start = (fixture: LocalFixture, data = path) =>
    startService({ data, fixture, control: true }).catch((error: unknown) => {
      throw error instanceof ServiceStartError ? new ServeError(error, where) : error
    })
  let service = await start(completed(given ?? declared, declared))
  const stored = await dumpOf(service)
  const whole = completed(stored, declared)
  if (sizeOf(whole) > sizeOf(stored)) {
    await service.close()
    await replaceStore(path, async (data) => (await start(whole, data)).close())
    service = await start(whole)
  }
  const { baseUrl } = service
  return {
    connection: { ...KEY, baseUrl, knownAs: LOCAL_NAME, caFile: undefined, allowHttp: false },
    close: () => service.close(),
  }
}

/**
 * Fills a new store beside the old one, which stays until the new one is complete: a refusal or a kill loses
 * nothing.
 */
const replaceStore = async (path: string, fill: (path: string) => Promise<void>): Promise<void> => {
  const beside = `${path}.new`
  const remove = () => Promise.all([beside, `${beside}-wal`].map((file) => rm(file, { force: true })))
  await remove()
  try {
    await fill(beside)
    await rename(beside, path)
  } finally {
    await remove()
  }
}

interface Named {
  readonly id: string
}
interface LocalFixture {
  readonly organizations: readonly (Named & {
    readonly apiKeys?: readonly { readonly publicKey?: string }[]
  })[]
  readonly projects: readonly Named[]
}

const sizeOf = ({ organizations, projects }: LocalFixture): number => organizations.length + projects.length

/** A fixture, completed by what only another one contains, and by the key of rehearsals. */
const completed = (fixture: Partial<LocalFixture>, other: LocalFixture): LocalFixture => {
  const organizations = merged(fixture.organizations ?? [], other.organizations)
  const projects = merged(fixture.projects ?? [], other.projects)
  if (organizations.some(({ apiKeys = [] }) => apiKeys.some(({ publicKey }) => publicKey === KEY.publicKey)))
    return { ...fixture, organizations, projects }
  const roles = organizations.map(({ id }) => ({ roleName: 'ORG_OWNER', orgId: id }))
  const key = { ...KEY, desc: 'Rehearsal', roles: [...roles, { roleName: 'GLOBAL_OWNER' }] }
  const withKey = organizations.map((each, index) =>
    index === 0 ? { ...each, apiKeys: [...(each.apiKeys ?? []), key] } : each,
  )
  return { ...fixture, organizations: withKey, projects }
}

const merged = <T extends Named>(own: readonly T[], other: readonly T[]): T[] => {
  const known = new Set(own.map(({ id }) => id))
  return [...own, ...other.filter(({ id }) => !known.has(id))]
}

const refused = (what: string, where: string): ServeError =>
  new ServeError({ code: ServeError.code, message: what }, where)

/** @throws ServeError if another file is in the way */
export const makeFolder = (path: string): Promise<unknown> =>
  mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw refused(`the folder of the rehearsal cannot be made: ${inWords(error)}`, path)
  })

/** The fixture that a person has written. @throws ServeError if it cannot be read, or is no mapping */
const givenFixture = async (path: string): Promise<Partial<LocalFixture> | undefined> => {
  if (!(await exists(path))) return undefined
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refused(`the fixture cannot be read: ${inWords(error)}`, path)
  })
  const fixture = await parsed(text, path)
  if (typeof fixture === 'object' && fixture !== null && !Array.isArray(fixture)) return fixture
  throw refused('the fixture is not a mapping', path)
}

const parsed = async (text: string, path: string): Promise<unknown> => {
  const { load, YAMLException } = await import('js-yaml')
  try {
    return load(text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    // The library's own message shows the surrounding lines, which contain keys.
    const { mark, reason } = error
    const place = mark === undefined || mark === null ? '' : `:${mark.line + 1}:${mark.column + 1}`
    throw refused(`the fixture is not valid YAML: ${reason}`, `${path}${place}`)
  }
}

const dumpOf = async ({
  controlUrl,
  controlToken,
}: {
  controlUrl?: string
  controlToken?: string
}): Promise<LocalFixture> => {
  const headers = { authorization: `Bearer ${controlToken ?? ''}` }
  const answer = await fetch(`${controlUrl ?? ''}/dump`, { headers })
  return (await answer.json()) as LocalFixture
}

const declaredFixture = async (
  io: Io,
  options: Pick<CommonOptions, 'file' | 'var' | 'varFile'>,
): Promise<LocalFixture> => {
  const input = { ...manifestsOf(io, options), rehearsal: true, offline: true }
  // Mistakes in a manifest are reported when a command loads it for its own use.
  const loaded = await loadDeclaration(input, kinds).catch(() => undefined)
  const projects = projectsOf(loaded?.declaration)
  const orgIds = new Set([...(loaded?.declaration.orgIds ?? []), ...projects.map(({ orgId }) => orgId)])
  if (orgIds.size === 0) orgIds.add(ORPHANAGE)
  return { organizations: [...orgIds].map((id) => ({ id, name: id })), projects }
}

/** The organization of projects for which none is given. */
const ORPHANAGE = '000000000000000000000001'

const projectsOf = (declaration: Declaration | undefined): { id: string; orgId: string; name: string }[] => {
  if (declaration === undefined) return []
  const { entries, organizations, projectNames, orgIds } = declaration
  const used = entries.flatMap(({ values }) =>
    typeof values['projectId'] === 'string' ? [values['projectId']] : [],
  )
  return [...new Set([...used, ...organizations.keys()])].map((id) => ({
    id,
    orgId: organizations.get(id) ?? orgIds[0] ?? ORPHANAGE,
    name: projectNames.get(id) ?? id,
  }))
}
