import { access, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Declaration } from '@deploymgmt/provider/engine'
import { loadDeclaration } from '../config/index.ts'
import type { Io } from '../io.ts'
import type { Connection } from './connection.ts'
import type { CommonOptions } from './options.ts'

/** Where a rehearsal keeps its things, beside the manifest. */
export const LOCAL_FOLDER = '.deploymgmt'
export const LOCAL_STATE = `${LOCAL_FOLDER}/local.state.json`
const LOCAL_DATA = `${LOCAL_FOLDER}/local.sqlite`
const LOCAL_FIXTURE = `${LOCAL_FOLDER}/fixture.yaml`
/** The port differs from command to command, so that the state knows the rehearsal by this name. */
const LOCAL_NAME = 'http://localhost/api/public/v1.0'
/** No secret: the service listens on loopback for the time of one command and holds rehearsals alone. */
const KEY = { publicKey: 'local', privateKey: 'local-rehearsal' }

export interface Local {
  readonly connection: Connection
  close(): Promise<void>
}

/**
 * Starts the embedded service for one command. A new store is filled from `.deploymgmt/fixture.yaml`, or
 * with the organizations and projects that the manifest names.
 */
export const startLocal = async (io: Io, options: Pick<CommonOptions, 'file' | 'var'>): Promise<Local> => {
  const folder = resolve(io.cwd, LOCAL_FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { startService } = await import('@deploymgmt/service')
  const own = resolve(io.cwd, LOCAL_FIXTURE)
  const fixture = (await exists(own)) ? own : await fixtureFor(io, options)
  const service = await startService({ data: resolve(io.cwd, LOCAL_DATA), fixture })
  return {
    connection: {
      ...KEY,
      baseUrl: service.baseUrl,
      knownAs: LOCAL_NAME,
      caFile: undefined,
      allowHttp: false,
    },
    close: () => service.close(),
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const fixtureFor = async (
  io: Io,
  { file, var: vars }: Pick<CommonOptions, 'file' | 'var'>,
): Promise<object> => {
  const loaded = await loadDeclaration({ files: file, vars, cwd: io.cwd, offline: true }, kinds).catch(
    () => undefined,
  )
  return fixtureOf(loaded?.declaration)
}

const ORPHANAGE = '000000000000000000000001'

const fixtureOf = (declaration: Declaration | undefined): object => {
  const projects = projectsOf(declaration)
  const orgIds = new Set([...(declaration?.orgIds ?? []), ...projects.map(({ orgId }) => orgId)])
  if (orgIds.size === 0) orgIds.add(ORPHANAGE)
  const roles = [...orgIds].map((orgId) => ({ roleName: 'ORG_OWNER', orgId }))
  const key = { ...KEY, desc: 'Rehearsal', roles: [...roles, { roleName: 'GLOBAL_OWNER' }] }
  const organizations = [...orgIds].map((id, index) => ({ id, name: id, apiKeys: index === 0 ? [key] : [] }))
  return { organizations, projects }
}

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
